using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Tool.Reporting.Results;

/// <summary>Writes a bucket as a line of its own, so that a histogram of thousands is a readable table. The tool reads no results.</summary>
internal sealed class BucketEntryConverter : JsonConverter<BucketEntry>
{
    public override BucketEntry Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException("Results are only written.");

    // A raw value is not indented by the writer.
    public override void Write(Utf8JsonWriter writer, BucketEntry value, JsonSerializerOptions options) =>
        writer.WriteRawValue(string.Create(CultureInfo.InvariantCulture, $"\n      [{value.FromUs}, {value.ToUs}, {value.Count}]"));
}
