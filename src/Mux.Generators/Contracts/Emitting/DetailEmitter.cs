using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the class that writes and reads the details of a method's failures; nothing if none are declared.</summary>
internal static class DetailEmitter
{
    public static void Emit(SourceWriter writer, MethodModel method)
    {
        var errors = method.Errors;
        if (errors.Count == 0) return;
        writer.Line();
        writer.Open($"private sealed class {NameOf(method)} : DetailCodec");
        writer.Open("public override int Encode(ref MessageWriter writer, object detail)");
        writer.Open("switch (detail)");
        foreach (var error in errors.OrderByDescending(static error => error.Depth))
        {
            writer.Open($"case {error.TypeName} message{error.Number}:");
            writer.Line(error.Serialized is { } serialized
                ? SerializedPayload.Write(serialized, $"message{error.Number}", SerializedPayload.NameOf(serialized))
                : $"{error.Codec}.Write(ref writer, message{error.Number});");
            writer.Line($"return {error.Number};");
            writer.Close();
        }

        Close(writer, "0");

        writer.Line();
        writer.Open("public override object? Decode(int number, global::System.ReadOnlySpan<byte> body)");
        writer.Open("switch (number)");
        foreach (var error in errors)
        {
            writer.Open($"case {error.Number}:");
            if (error.Serialized is null) writer.Line($"var reader = new MessageReader(body, {error.Codec}.Schema);");
            writer.Line(error.Serialized is { } serialized ? $"return {SerializedPayload.Read(serialized, SerializedPayload.NameOf(serialized))};"
                : $"return {error.Codec}.Read(ref reader, default);");
            writer.Close();
        }

        Close(writer, "null");
        EmitPrepare(writer, errors);
        writer.Close();
    }

    /// <summary>Gets the name of the class.</summary>
    public static string NameOf(MethodModel method) => method.Identifier + "_Details";

    private static void EmitPrepare(SourceWriter writer, EquatableArray<ErrorModel> errors)
    {
        var serialized = errors.Select(static error => error.Serialized).OfType<SerializedModel>().ToList();
        if (serialized.Count == 0) return;
        writer.Line();
        writer.Open("public override void Prepare()");
        foreach (var payload in serialized) writer.Line(SerializedPayload.Prepare(payload, SerializedPayload.NameOf(payload)));
        writer.Close();
    }

    private static void Close(SourceWriter writer, string none)
    {
        writer.Label("default:");
        writer.Indented($"return {none};");
        writer.Close();
        writer.Close();
    }
}
