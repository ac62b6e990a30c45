using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Tool.Reporting.Results;

/// <summary>Writes a bucket on its own line, so that a histogram of thousands is a readable table.</summary>
internal sealed class BucketEntryConverter : JsonConverter<BucketEntry>
{
    public override BucketEntry Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartArray) throw new JsonException("A bucket is an array of three numbers.");
        reader.Read();
        double from = reader.GetDouble();
        reader.Read();
        double to = reader.GetDouble();
        reader.Read();
        long count = reader.GetInt64();
        reader.Read();
        return reader.TokenType == JsonTokenType.EndArray ? new BucketEntry(from, to, count)
            : throw new JsonException("A bucket is an array of three numbers.");
    }

    // The writer does not indent raw values.
    public override void Write(Utf8JsonWriter writer, BucketEntry value, JsonSerializerOptions options) =>
        writer.WriteRawValue(string.Create(CultureInfo.InvariantCulture, $"\n      [{value.FromUs}, {value.ToUs}, {value.Count}]"));
}
