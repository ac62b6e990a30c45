using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits code that keeps the unknown fields of a message and writes them again after the known ones.</summary>
internal static class UnknownEmitter
{
    /// <summary>Field of the collected parts that holds them while the message is read.</summary>
    public const string Unknown = "Unknown";

    /// <summary>Type of this field.</summary>
    public const string BufferType = "UnknownFieldBuffer";

    // An object and an array in addition to the bytes; and what protobuf-net needs, with a stream whose array is never small.
    private const int KeptSize = 64;
    private const int ExtensionSize = 400;

    /// <summary>Emits the statements that write them.</summary>
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

    /// <summary>Emits the statements that store the collected fields after the last field of the message.</summary>
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

    // Types with such an interface are always read in place.
    private static string ObjectOf(MessageModel message, ExtensionModel extension, string isMade)
    {
        var type = extension.IsTyped ? $"typeof({message.TypeName}), " : string.Empty;
        return $"(({extension.InterfaceName})value).GetExtensionObject({type}{isMade})";
    }
}
