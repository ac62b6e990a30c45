using Mux.Description.Proto;
using Mux.Generators.Importing.Naming;
using Mux.Generators.Symbols;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Writes what tells which member of a oneof is set. The setters of the members clear the others: at most one is set.</summary>
internal static class OneofEmitter
{
    public static void Emit(SourceWriter writer, ProtoMessage message, ProtoOneof oneof, MemberNames members, TypeContext context)
    {
        var fields = message.Fields.FindAll(field => field.Oneof == oneof);
        var name = members[oneof];
        writer.Line();
        Declarations.Document(writer, oneof, $"The members of the oneof '{oneof.Name}', of which at most one is set.");
        writer.Open($"public enum {name}OneofCase");
        var none = "None";
        while (fields.Exists(field => members[field] == none)) none += "_";
        writer.Line($"{none} = 0,");
        foreach (var field in fields) writer.Line($"{SymbolText.Escape(members[field])} = {field.Number},");
        writer.Close();
        writer.Line();
        writer.Line($"/// <summary>Gets the member of the oneof '{oneof.Name}' that is set.</summary>");
        writer.Open($"public {name}OneofCase {name}Case");
        writer.Open("get");
        foreach (var field in fields) // no expression: the compiler refuses one of thousands of members
            writer.Line($"if ({MessageEmitter.BackingOf(members[field])} != null) return {name}OneofCase.{SymbolText.Escape(members[field])};");
        writer.Line($"return {name}OneofCase.{none};");
        writer.Close();
        writer.Close();
        writer.Line();
        writer.Line($"/// <summary>Clears the oneof '{oneof.Name}'.</summary>");
        writer.Open($"public void Clear{name}()");
        foreach (var field in fields) writer.Line($"{MessageEmitter.BackingOf(members[field])} = null;");
        writer.Close();
    }
}
