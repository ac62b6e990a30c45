using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Emits the module initializer that registers codecs for programs that use them without a call.</summary>
internal static class RegisteredCodecEmitter
{
    /// <summary>Name of the file; no contract and no message has this name.</summary>
    public const string FileName = "RegisteredCodecs.g.cs";

    public static SourceText EmitFile(EquatableArray<RegisteredCodec> codecs, string assembly)
    {
        bool hasOthers = codecs.Any(static codec => !codec.IsOwn);
        var writer = SourceWriter.ForFile(assembly, hasOthers ? "global::Mux.Serialization.GeneratedCodecs" : null);
        writer.Line("/// <summary>Makes codecs known when the module of this assembly is loaded or asked for one.</summary>");
        writer.InternalCode();
        writer.Open("internal static class RegisteredCodecs");
        writer.Line("[global::System.Runtime.CompilerServices.ModuleInitializer]");
        writer.Open("internal static void Register()");
        foreach (var codec in codecs)
            writer.Line($"GeneratedCodec<{codec.TypeName}>.Register(new {ClassOf(codec)}());");
        writer.Close();
        foreach (var codec in codecs)
        {
            writer.Line();
            Emit(writer, codec);
        }

        writer.Close();
        return writer.ToText();
    }

    private static string ClassOf(RegisteredCodec codec) => codec.Codec + "_Message";

    private static void Emit(SourceWriter writer, RegisteredCodec codec)
    {
        writer.Open($"private sealed class {ClassOf(codec)} : GeneratedCodec<{codec.TypeName}>");
        writer.Open($"public override void Encode(ref MessageWriter writer, {codec.TypeName} message)");
        writer.Line($"{codec.Codec}.Write(ref writer, message);");
        writer.Close();
        writer.Line();
        writer.Open($"public override {codec.TypeName} Decode(global::System.ReadOnlySpan<byte> bytes)");
        writer.Line($"return {codec.Codec}.Read(bytes);");
        writer.Close();
        writer.Close();
    }
}
