using Mux.Description.Proto;
using Mux.Generators.Symbols;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Writes the C# file of a .proto file.</summary>
internal static class FileEmitter
{
    /// <param name="file">The file.</param>
    /// <param name="context">What its declarations have in common.</param>
    /// <param name="isMade">Decides about a type that is not nested.</param>
    /// <returns>The text; null if there is no type to make.</returns>
    public static string? Emit(ProtoFile file, TypeContext context, Func<ProtoElement, bool> isMade)
    {
        var messages = file.Messages.FindAll(message => isMade(message));
        var enums = file.Enums.FindAll(type => isMade(type));
        var services = file.Services.FindAll(service => isMade(service));
        if (messages.Count + enums.Count + services.Count == 0) return null;
        var writer = SourceWriter.ForTypes();
        var space = context.Names.NamespaceOf(file);
        if (space.Length > 0) writer.Open($"namespace {string.Join(".", space.Split('.').Select(SymbolText.Escape))}");
        bool isFirst = true;
        foreach (var type in services.Concat<ProtoElement>(messages).Concat(enums))
        {
            if (!isFirst) writer.Line();
            isFirst = false;
            Emit(writer, type, context);
        }

        return writer.ToText().ToString();
    }

    private static void Emit(SourceWriter writer, ProtoElement type, TypeContext context)
    {
        switch (type)
        {
            case ProtoService service: InterfaceEmitter.Emit(writer, service, context); break;
            case ProtoMessage message: MessageEmitter.Emit(writer, message, context); break;
            case ProtoEnum known: EnumEmitter.Emit(writer, known, context); break;
        }
    }
}
