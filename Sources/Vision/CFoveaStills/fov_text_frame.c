// Fovea - the frame of a page of text: rows run along x, strokes of letters along y.
// SPDX-License-Identifier: Apache-2.0
#include "fov_text_frame.h"

#include <math.h>
#include <string.h>

// How strongly points at infinity are preferred, as a weight of one line.
#define AT_INFINITY 0.05

static fov_text_point applied(const double *m, fov_text_point p) {
  const double w = m[6] * p.x + m[7] * p.y + m[8];
  if (!(w > 1e-9)) return (fov_text_point){NAN, NAN};
  return (fov_text_point){(m[0] * p.x + m[1] * p.y + m[2]) / w,
                          (m[3] * p.x + m[4] * p.y + m[5]) / w};
}

fov_text_point fov_to_picture(const fov_text_frame *frame, fov_text_point flat) {
  return applied(frame->to_picture, flat);
}

fov_text_point fov_to_flat(const fov_text_frame *frame, fov_text_point picture) {
  return applied(frame->to_flat, picture);
}

fov_weighted_line fov_line_through(fov_text_point point, fov_text_point direction, double weight) {
  const double length = fov_hypotenuse(direction.x, direction.y);
  const double a = -direction.y / length, b = direction.x / length;
  return (fov_weighted_line){a, b, -(a * point.x + b * point.y), weight};
}

// The scale at which a meeting point moves the middle of the picture by one pixel per unit.
static double unit_scale(const double *point, const double *middle) {
  const double length =
      fov_hypotenuse(point[0] - point[2] * middle[0], point[1] - point[2] * middle[1]);
  return length > 0 ? 1 / length : 0;
}

// Computes both maps. Returns 0, or -1 if they cannot be inverted.
static int update(fov_text_frame *frame) {
  const double u = unit_scale(frame->rows, frame->middle);
  const double v = unit_scale(frame->strokes, frame->middle);
  double *m = frame->to_picture;
  for (int i = 0; i < 3; i++) {
    m[3 * i] = u * frame->rows[i];
    m[3 * i + 1] = v * frame->strokes[i];
    m[3 * i + 2] = i < 2 ? frame->middle[i] : 1;
  }
  const double adjoint[9] = {
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
  };
  const double determinant = m[0] * adjoint[0] + m[1] * adjoint[3] + m[2] * adjoint[6];
  if (!(determinant > 1e-3)) return -1;
  for (int i = 0; i < 9; i++) frame->to_flat[i] = adjoint[i] / determinant;
  return 0;
}

void fov_text_frame_turned(int width, int height, double angle, fov_text_frame *out_frame) {
  *out_frame = (fov_text_frame){
      .middle = {width / 2.0, height / 2.0},
      .rows = {cos(angle), sin(angle), 0},
      .strokes = {-sin(angle), cos(angle), 0},
  };
  update(out_frame);
}

// The eigenvector of the least eigenvalue of a symmetric matrix of 3 x 3 numbers, by Jacobi's
// turns.
static void least_eigenvector(double a[3][3], double *out_vector) {
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 30; sweep++) {
    for (int p = 0; p < 2; p++) {
      for (int q = p + 1; q < 3; q++) {
        if (fabs(a[p][q]) < 1e-300) continue;
        const double theta = 0.5 * atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const double c = cos(theta), s = sin(theta);
        for (int k = 0; k < 3; k++) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
          const double x = a[p][k], y = a[q][k], z = v[k][p], w = v[k][q];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
          v[k][p] = c * z - s * w;
          v[k][q] = s * z + c * w;
        }
      }
    }
  }
  int least = 0;
  for (int i = 1; i < 3; i++) least = a[i][i] < a[least][least] ? i : least;
  for (int i = 0; i < 3; i++) out_vector[i] = v[i][least];
}

// The unit vector whose products with the lines are least; lines are in units of the radius around
// the middle. Lines that disagree count less in each further round.
static void meeting_point(const fov_weighted_line *lines, int count, const double *middle,
                          double radius, double *out_point) {
  double point[3] = {0, 0, 0};
  for (int round = 0; round < 6; round++) {
    double a[3][3] = {{0}};
    double total = 0;
    for (int i = 0; i < count; i++) {
      const fov_weighted_line *line = &lines[i];
      const double l[3] = {
          line->a,
          line->b,
          (line->c + line->a * middle[0] + line->b * middle[1]) / radius,
      };
      double weight = line->weight;
      if (round > 0) {
        const double miss = l[0] * point[0] + l[1] * point[1] + l[2] * point[2];
        weight /= 1 + miss * miss / (0.02 * 0.02);
      }
      for (int j = 0; j < 9; j++) a[j / 3][j % 3] += weight * l[j / 3] * l[j % 3];
      total += weight;
    }
    a[2][2] += AT_INFINITY * (total / (count > 0 ? count : 1));
    least_eigenvector(a, point);
  }
  out_point[0] = point[0] * radius + point[2] * middle[0];
  out_point[1] = point[1] * radius + point[2] * middle[1];
  out_point[2] = point[2];
}

int fov_text_frame_meet(fov_text_frame *frame, int strokes, const fov_weighted_line *lines,
                        int count, double radius) {
  if (count < 1) return -1;
  fov_text_frame changed = *frame;
  double *place = strokes ? changed.strokes : changed.rows;
  double point[3];
  meeting_point(lines, count, frame->middle, radius, point);
  // The direction from the middle stays on the side where it was.
  const double old_x = place[0] - place[2] * frame->middle[0];
  const double old_y = place[1] - place[2] * frame->middle[1];
  const double x = point[0] - point[2] * frame->middle[0];
  const double y = point[1] - point[2] * frame->middle[1];
  const double side = x * old_x + y * old_y >= 0 ? 1 : -1;
  for (int i = 0; i < 3; i++) place[i] = side * point[i];
  // A meeting point inside of the picture is no page that anybody could read.
  if (fabs(point[2]) * 1.2 * radius > fov_hypotenuse(x, y) || update(&changed) != 0) return -1;
  *frame = changed;
  return 0;
}
