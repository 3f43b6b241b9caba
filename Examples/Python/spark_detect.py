# Fovea - objects in a folder of pictures, found by Spark, written as Parquet.
# SPDX-License-Identifier: Apache-2.0
"""python spark_detect.py MODEL PICTURES ROWS; needs fovea, pandas < 3, pyarrow and pyspark."""
import sys

from pyspark.sql import SparkSession

from fovea.batch import SPARK_SCHEMA, Detector

model, pictures, rows = sys.argv[1:4]

spark = (
    SparkSession.builder.appName("fovea")
    # Small files share a partition, or the model would be opened for each of them.
    .config("spark.sql.files.openCostInBytes", 65536)
    .config("spark.sql.files.maxPartitionBytes", "16m")
    # Pictures that are in memory at a time.
    .config("spark.sql.execution.arrow.maxRecordsPerBatch", 16)
    .getOrCreate()
)
files = spark.read.format("binaryFile").load(pictures).select("path", "content")
files.mapInPandas(Detector(model).pandas, SPARK_SCHEMA).write.mode("overwrite").parquet(rows)
spark.stop()
