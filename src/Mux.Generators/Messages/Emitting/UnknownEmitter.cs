using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits what keeps the fields that a message does not know, and writes them again behind all that it knows.</summary>
internal static class UnknownEmitter
{
    /// <summary>The field of the collected parts that takes them while the message is read.</summary>
    public const string Unknown = "Unknown";

    /// <summary>The type of this field.</summary>
    public const string BufferType = "UnknownFieldBuffer";

    // An object and an array beside the bytes in it; and what protobuf-net takes, with a stream whose array is never small.
    private const int KeptSize = 64;
    private const int ExtensionSize = 400;

    /// <summary>Emits what writes them.</summary>
    public static void EmitWrite(SourceWriter writer, MessageModel message, MemberAccess access)
    {
        if (message.KeptFields is { } kept) writer.Line($"if ({access.Get(kept)} is {{ }} kept) writer.Write(kept.Bytes);");
        if (message.Extension is not { } extension) return;
        writer.Open($"if ({ObjectOf(message, extension, "false")} is {{ }} extension)");
        writer.Line("var source = extension.BeginQuery();");
        writer.Open("try");
        writer.Line("writer.WriteStream(source);");
        writer.Close();
        writer.Open("finally");
        writer.Line("extension.EndQuery(source);");
        writer.Close();
        writer.Close();
    }

    /// <summary>Emits what hands over the fields that were collected, behind the last field of the message.</summary>
    public static void EmitRead(SourceWriter writer, MessageModel message, MemberAccess access, string parts)
    {
        if (!message.KeepsUnknown) return;
        writer.Open($"if (!{parts}.{Unknown}.IsEmpty)");
        if (message.KeptFields is { } kept)
        {
            bool isSet = kept.Write is not (WriteAccess.Constructor or WriteAccess.InPlace);
            if (isSet) writer.Line($"var kept = {access.Get(kept)} ?? reader.PayForMemory(new {kept.TypeName}(), {KeptSize});");
            writer.Line($"{(isSet ? "kept" : access.Get(kept) + "?")}.Append({parts}.{Unknown}.Bytes);");
            if (isSet) writer.Line(access.Set(kept, "kept"));
        }

        if (message.Extension is { } extension)
        {
            writer.Line($"var extension = {ObjectOf(message, extension, "true")};");
            writer.Line("reader.PayForCopy(extension.GetLength());");
            writer.Line($"reader.PayForMemory({ExtensionSize});");
            writer.Line("var target = extension.BeginAppend();");
            writer.Line("bool isWhole = false;");
            writer.Open("try");
            writer.Line($"target.Write({parts}.{Unknown}.Bytes);");
            writer.Line("isWhole = true;");
            writer.Close();
            writer.Open("finally");
            writer.Line("extension.EndAppend(target, isWhole);");
            writer.Close();
        }

        writer.Line($"{parts}.{Unknown}.Return();");
        writer.Close();
    }

    // Types with such an interface are read in place.
    private static string ObjectOf(MessageModel message, ExtensionModel extension, string isMade)
    {
        var type = extension.IsTyped ? $"typeof({message.TypeName}), " : string.Empty;
        return $"(({extension.InterfaceName})value).GetExtensionObject({type}{isMade})";
    }
}
