using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the codec of a message that is written as another type: conversions in both directions around the other type's codec.</summary>
internal static class SurrogateEmitter
{
    private const string To = "ToSurrogate";
    private const string From = "FromSurrogate";

    /// <summary>Gets the C# that converts an object to its surrogate.</summary>
    public static string ToSurrogate(ConvertedModel value, string expression) => $"{value.Codec}.{To}({expression})";

    /// <summary>Gets the C# that converts a surrogate to an object.</summary>
    public static string FromSurrogate(ConvertedModel value, string expression) => $"{value.Codec}.{From}({expression})";

    /// <summary>Gets the C# that creates an object if none was written but one is required.</summary>
    public static string FromNothing(ConvertedModel value) => FromSurrogate(value, value.Surrogate is TextModel ? "string.Empty" : "default");

    public static void Emit(SourceWriter writer, MessageModel message, SurrogateModel surrogate)
    {
        if (surrogate.Codec is { } codec) EmitMessage(writer, message, surrogate, codec);
        EmitTo(writer, message, surrogate);
        writer.Line();
        writer.Line($"internal static {message.TypeName} {From}({surrogate.TypeName} value) => {Call(surrogate.From, From, message.TypeName, "value")};");
        EmitAccessor(writer, surrogate.To, To, message.TypeName, surrogate.TypeName);
        EmitAccessor(writer, surrogate.From, From, surrogate.TypeName, message.TypeName);
    }

    private static void EmitMessage(SourceWriter writer, MessageModel message, SurrogateModel surrogate, string codec)
    {
        writer.Line($"internal static string Schema => {codec}.Schema;");
        writer.Line();
        writer.Line($"internal static void Write(ref MessageWriter writer, {message.TypeName} value) => {codec}.Write(ref writer, {To}(value));");
        writer.Line();
        var nullable = message.IsStruct ? string.Empty : "?";
        writer.Open($"internal static {message.TypeName} Read(ref MessageReader reader, {message.TypeName}{nullable} value)");
        if (!message.IsStruct) writer.Line($"if (value is null) return {From}({codec}.Read(ref reader, default));");
        writer.Line($"long begun = ConversionCost.Begin<{message.TypeName}>();");
        writer.Line($"{surrogate.TypeName} existing = {Call(surrogate.To, To, surrogate.TypeName, "value")};");
        writer.Line($"reader.PayForConversion<{message.TypeName}>(begun);");
        writer.Line($"existing = {codec}.Read(ref reader, existing);");
        writer.Line($"begun = ConversionCost.Begin<{message.TypeName}>();");
        writer.Line($"{message.TypeName} read = {From}(existing);");
        writer.Line($"reader.PayForConversion<{message.TypeName}>(begun);");
        writer.Line("return read;");
        writer.Close();
        writer.Line();
    }

    // A null string is written as an empty one, as protobuf-net does; other surrogates cannot encode null.
    private static void EmitTo(SourceWriter writer, MessageModel message, SurrogateModel surrogate)
    {
        writer.Open($"internal static {surrogate.TypeName} {To}({message.TypeName} value)");
        var call = Call(surrogate.To, To, surrogate.TypeName, "value");
        if (surrogate.IsStruct) writer.Line($"return {call};");
        else if (surrogate.TypeName == "string") writer.Line($"return {call} ?? string.Empty;");
        else
        {
            writer.Line($"var surrogate = {call};");
            writer.Line($"if (surrogate is null) EncodeFault.ThrowNullSurrogate(\"{message.DisplayName}\");");
            writer.Line("return surrogate;");
        }

        writer.Close();
    }

    private static string Call(ConversionModel conversion, string name, string target, string value) => conversion switch
    {
        { Method: null } => $"({target}){value}",
        { NeedsAccessor: true } => $"Call{name}(default, {value})",
        _ => $"{conversion.OwnerType}.{conversion.Method}({value})",
    };

    private static void EmitAccessor(SourceWriter writer, ConversionModel conversion, string name, string source, string target)
    {
        if (conversion.NeedsAccessor)
        {
            AccessorEmitter.EmitStatic(writer, conversion.Method!, $"{target} Call{name}({conversion.OwnerType} owner, {source} value)");
        }
    }
}
