# Fovea - transformers of the zoo, from the definitions in the package transformers.
# SPDX-License-Identifier: Apache-2.0
"""D-FINE-n and RT-DETR on ResNet-18, with random weights; scores and boxes over the picture.

Some parts are replaced by others that compute the same with tensors that Core ML has.
"""
import types

import torch
from torch import nn
from torch.nn import functional

from zoo_statistics import aim, finished, settle

CLASSES, QUERIES = 80, 300


class Detr(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        found = self.network(pixel_values=x, return_dict=True)
        return torch.sigmoid(found.logits), found.pred_boxes


class Constant(nn.Module):
    """A module whose result does not depend on anything."""

    def __init__(self, value):
        super().__init__()
        self.register_buffer("value", value)

    def forward(self, *_, **__):
        return self.value


def fix_positions(network, side):
    """Replace the embeddings of positions by constants: the size of the input is fixed."""
    found = {}
    for name, module in network.named_modules():
        if type(module).__name__.endswith("SinePositionEmbedding"):
            module.register_forward_hook(
                lambda _, __, output, name=name: found.update({name: output.detach()}))
    with torch.no_grad():
        network(pixel_values=torch.zeros(1, 3, side, side))
    for name, value in found.items():
        parent, _, own = name.rpartition(".")
        setattr(network.get_submodule(parent), own, Constant(value))


def integral(self, corners, project):
    """DFineIntegral with shapes that are written out."""
    count, queries, _ = corners.shape
    parts = functional.softmax(corners.reshape(-1, self.max_num_bins + 1), dim=1)
    return torch.matmul(parts, project.reshape(-1, 1)).reshape(count, queries, 4)


def attention(self, hidden_states, attention_mask=None, encoder_hidden_states=None,
              position_embeddings=None, reference_points=None, spatial_shapes_list=None, **_):
    """Deformable attention of several levels in tensors of at most five axes."""
    if position_embeddings is not None:
        hidden_states = hidden_states + position_embeddings
    count, queries, width = hidden_states.shape
    heads, levels, points = self.n_heads, self.n_levels, self.n_points
    each = width // heads
    values = self.value_proj(encoder_hidden_states).permute(0, 2, 1)
    values = values.reshape(count * heads, each, -1)
    offsets = self.sampling_offsets(hidden_states)
    offsets = offsets.reshape(count, queries, heads, levels * points, 2)
    weights = self.attention_weights(hidden_states)
    weights = functional.softmax(weights.reshape(count, queries, heads, levels * points), -1)
    boxes = reference_points[:, :, 0].reshape(count, queries, 1, 1, 4)
    places = boxes[..., :2] + offsets / points * boxes[..., 2:] * 0.5
    grid = (2 * places - 1).permute(0, 2, 1, 3, 4).flatten(0, 1)
    sampled, start = [], 0
    for level, (rows, columns) in enumerate(spatial_shapes_list):
        rows, columns = int(rows), int(columns)
        part = values[:, :, start:start + rows * columns]
        start += rows * columns
        sampled.append(functional.grid_sample(
            part.reshape(count * heads, each, rows, columns),
            grid[:, :, level * points:(level + 1) * points], mode="bilinear",
            padding_mode="zeros", align_corners=False))
    shares = weights.permute(0, 2, 1, 3).reshape(count * heads, 1, queries, levels * points)
    found = (torch.cat(sampled, -1) * shares).sum(-1)
    found = found.reshape(count, heads * each, queries).transpose(1, 2)
    return self.output_proj(found), weights


REPLACED = {"DFineIntegral": integral, "RTDetrMultiscaleDeformableAttention": attention}


def spread_weights(network, generator):
    """Weights of the size that keeps deviations: the package starts with ones near zero."""
    for name, module in network.named_modules():
        if not isinstance(module, nn.Linear):
            continue
        weight = module.weight
        if "sampling_offsets" in name:
            weight.data = torch.randn(weight.shape, generator=generator) * 0.02
            module.bias.data = (torch.rand(module.bias.shape, generator=generator) - 0.5) * 4
        elif weight.std() < 0.05:
            weight.data = torch.randn(weight.shape, generator=generator) * weight.shape[1] ** -0.5


def prepared(network, pictures, seed):
    for module in network.modules():
        body = REPLACED.get(type(module).__name__)
        if body:
            module.forward = types.MethodType(body, module)
    whole = Detr(network.eval())
    fix_positions(network, pictures.shape[-1])
    settle(whole, pictures, seed, lambda x: [whole(x[k:k + 1]) for k in range(len(x))])
    spread_weights(network, torch.Generator().manual_seed(seed + 3))
    heads = {id(module): module for name, module in network.named_modules()
             if isinstance(module, nn.Linear)
             and ("class_embed" in name or "enc_score_head" in name)}
    # One after the other: the encoder's scores choose what the decoder sees.
    for head in sorted(heads.values(), key=lambda m: m is not network.model.enc_score_head):
        aim([head], lambda: whole(pictures[:1]), -3.0, 1.8)
    return finished(whole)


def dfine_n(pictures, seed):
    from transformers import DFineConfig, DFineForObjectDetection, HGNetV2Config
    from transformers.models.d_fine import modeling_d_fine
    # A check of shapes, which litert-torch would have to convert.
    modeling_d_fine.torch_compilable_check = lambda *_: None
    torch.manual_seed(seed)
    side = pictures.shape[-1]
    backbone = HGNetV2Config(
        embedding_size=64, depths=[1, 1, 2, 1], hidden_sizes=[64, 256, 512, 1024],
        stem_channels=[3, 16, 16], stage_in_channels=[16, 64, 256, 512],
        stage_mid_channels=[16, 32, 64, 128], stage_out_channels=[64, 256, 512, 1024],
        stage_num_blocks=[1, 1, 2, 1], stage_numb_of_layers=[3, 3, 3, 3],
        use_learnable_affine_block=True, out_features=["stage3", "stage4"])
    network = DFineForObjectDetection(DFineConfig(
        backbone_config=backbone, freeze_backbone_batch_norms=False,
        encoder_in_channels=[512, 1024], feat_strides=[16, 32], num_feature_levels=2,
        encode_proj_layers=[1], encoder_hidden_dim=128, encoder_ffn_dim=512, d_model=128,
        decoder_in_channels=[128, 128], decoder_ffn_dim=512, decoder_layers=3,
        decoder_n_points=[6, 6], hidden_expansion=0.34, depth_mult=0.5, num_queries=QUERIES,
        num_labels=CLASSES, anchor_image_size=[side, side], eval_size=None))
    return prepared(network, pictures, seed)


def rtdetr_r18(pictures, seed):
    from transformers import RTDetrConfig, RTDetrForObjectDetection, RTDetrResNetConfig
    torch.manual_seed(seed)
    side = pictures.shape[-1]
    backbone = RTDetrResNetConfig(
        hidden_sizes=[64, 128, 256, 512], depths=[2, 2, 2, 2], layer_type="basic",
        out_features=["stage2", "stage3", "stage4"])
    network = RTDetrForObjectDetection(RTDetrConfig(
        backbone_config=backbone, freeze_backbone_batch_norms=False,
        encoder_in_channels=[128, 256, 512], hidden_expansion=0.5, decoder_layers=3,
        num_queries=QUERIES, num_labels=CLASSES, anchor_image_size=[side, side], eval_size=None))
    return prepared(network, pictures, seed)
