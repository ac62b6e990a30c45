using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the methods that encode and decode details of failures; nothing if none are declared.</summary>
internal static class DetailEmitter
{
    public static void Emit(SourceWriter writer, EquatableArray<ErrorModel> errors)
    {
        if (errors.Count == 0) return;
        writer.Line();
        writer.Open("public static int EncodeDetail(ref MessageWriter writer, object detail)");
        writer.Open("switch (detail)");
        foreach (var error in errors.OrderByDescending(static error => error.Depth))
        {
            writer.Open($"case {error.TypeName} message{error.Number}:");
            writer.Line(error.Serialized is { } serialized
                ? SerializedPayload.Write(serialized, $"message{error.Number}")
                : $"{error.Codec}.Write(ref writer, message{error.Number});");
            writer.Line($"return {error.Number};");
            writer.Close();
        }

        Close(writer, "0");

        writer.Line();
        writer.Open("public static object? DecodeDetail(int number, global::System.ReadOnlySpan<byte> body)");
        writer.Open("switch (number)");
        foreach (var error in errors)
        {
            writer.Open($"case {error.Number}:");
            if (error.Serialized is null) writer.Line($"var reader = new MessageReader(body, {error.Codec}.Schema);");
            writer.Line(error.Serialized is { } serialized ? $"return {SerializedPayload.Read(serialized)};"
                : $"return {error.Codec}.Read(ref reader, default);");
            writer.Close();
        }

        Close(writer, "null");
    }

    private static void Close(SourceWriter writer, string none)
    {
        writer.Line("default:");
        writer.Indented($"return {none};");
        writer.Close();
        writer.Close();
    }
}
