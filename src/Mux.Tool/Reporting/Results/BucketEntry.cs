using System.Text.Json.Serialization;
using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <summary>In the file, an array of three numbers in one line.</summary>
/// <param name="FromUs">Shortest latency of the bucket, in microseconds.</param>
/// <param name="ToUs">Shortest latency above it.</param>
/// <param name="Count">Number of calls in it.</param>
[JsonConverter(typeof(BucketEntryConverter))]
internal sealed record BucketEntry(double FromUs, double ToUs, long Count)
{
    public static BucketEntry Of(LatencyBucket bucket) => new(LatencyEntry.Microseconds(bucket.From), LatencyEntry.Microseconds(bucket.To), bucket.Count);
}
