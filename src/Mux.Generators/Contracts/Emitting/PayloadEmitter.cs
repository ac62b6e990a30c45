using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the methods that encode and decode a payload.</summary>
internal static class PayloadEmitter
{
    /// <param name="writer">Receives the code.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="name">Suffix of the names of the two methods.</param>
    /// <param name="parameter">Name of the payload as a parameter.</param>
    public static void Emit(SourceWriter writer, PayloadModel payload, string name, string parameter)
    {
        writer.Line();
        writer.Open($"public static void Encode{name}(ref MessageWriter writer, {payload.TypeName} {parameter})");
        EmitWrite(writer, payload, parameter);
        writer.Close();

        writer.Line();
        writer.Open($"public static {payload.TypeName} Decode{name}(global::System.ReadOnlySpan<byte> body)");
        EmitRead(writer, payload);
        writer.Close();
    }

    private static void EmitWrite(SourceWriter writer, PayloadModel payload, string value)
    {
        if (payload.Form == PayloadForm.Bytes)
        {
            writer.Line($"ByteChunk.Encode(ref writer, {value});");
            return;
        }

        if (payload.Codec is null && payload.Serialized?.TypeName is null) return;
        if (payload.Form == PayloadForm.Result)
        {
            writer.Line($"var value = {value}.Value;");
            value = "value";
        }

        if (payload.Serialized is { } serialized)
        {
            writer.Line(SerializedPayload.Write(serialized, value));
            return;
        }

        if (payload.RefusesNull) writer.Line($"if ({value} is null) EncodeFault.ThrowNullMessage(\"{payload.DisplayName}\");");
        writer.Line($"{payload.Codec}.Write(ref writer, {value});");
    }

    private static void EmitRead(SourceWriter writer, PayloadModel payload)
    {
        if (payload.Form == PayloadForm.Bytes)
        {
            writer.Line("return ByteChunk.Decode(body);");
            return;
        }

        if (payload is { Codec: not null, RefusesNull: false }) writer.Line($"var reader = new MessageReader(body, {payload.Codec}.Schema);");
        var value = payload switch
        {
            { Serialized: { } serialized } => SerializedPayload.Read(serialized),
            { Codec: null } => $"EmptyMessage.Read(body, \"{payload.DisplayName}\")",
            { RefusesNull: true } => $"{payload.Codec}.Read(body)",
            _ => $"{payload.Codec}.Read(ref reader, {payload.Initial})",
        };
        writer.Line(payload.Form == PayloadForm.Result ? $"return new {payload.TypeName}({value});" : $"return {value};");
    }
}
