using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Mux.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

/// <summary>Serializes a message inside a message, as user code may.</summary>
public sealed class LayeredConverter : JsonConverter<Layered>
{
    public override Layered Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var parts = reader.GetString()!.Split('|', 2);
        return new Layered(int.Parse(parts[0]), parts[1].Length == 0 ? null : JsonSerializer<LayeredContext>.Read<Layered>(Encoding.UTF8.GetBytes(parts[1])));
    }

    public override void Write(Utf8JsonWriter writer, Layered value, JsonSerializerOptions options)
    {
        if (value.Depth < 0) throw new InvalidOperationException("Below zero.");
        writer.WriteStringValue($"{value.Depth}|{(value.Inner is null ? "" : Encoding.UTF8.GetString(Write(value.Inner)))}");
    }

    /// <summary>As a request would be.</summary>
    public static byte[] Write(Layered value)
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            JsonSerializer<LayeredContext>.Write(ref writer, value);
            return writer.Written.ToArray();
        }
        finally
        {
            buffer.Return();
        }
    }
}
