using Mux.Description.Proto;
using Mux.Generators.Importing.Naming;
using Mux.Generators.Symbols;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Writes enums.</summary>
internal static class EnumEmitter
{
    public static void Emit(SourceWriter writer, ProtoEnum type, TypeContext context)
    {
        Declarations.Document(writer, type);
        Declarations.Mark(writer, type, context.File);
        writer.Open($"{context.Access} enum {context.Names.NameOf(type)}");
        var names = MemberNames.OfValues(type);
        for (int i = 0; i < names.Count; i++)
        {
            Declarations.Document(writer, type.Values[i]);
            writer.Line($"{SymbolText.Escape(names[i])} = {type.Values[i].Number},");
        }

        writer.Close();
    }
}
