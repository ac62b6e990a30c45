using Mux.Description.Proto;
using Mux.Generators.Importing.Naming;
using Mux.Generators.Symbols;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Writes the class of a message.</summary>
internal static class MessageEmitter
{
    public static void Emit(SourceWriter writer, ProtoMessage message, TypeContext context)
    {
        var name = context.Names.NameOf(message);
        var members = new MemberNames(message, name);
        Declarations.Document(writer, message);
        Declarations.Mark(writer, message, context.File);
        writer.Line("[global::ProtoBuf.ProtoContract]");
        writer.Line("[global::Mux.MuxCompatibilityLevel(global::Mux.MuxCompatibilityLevel.Level300)]");
        writer.Open($"{context.Access} sealed partial class {name}");
        writer.Line("/// <summary>Gets or sets the fields that the .proto file does not declare. They are sent along.</summary>");
        writer.Line($"public global::Mux.UnknownFields? {MemberNames.Unknown} {{ get; set; }}");
        foreach (var field in message.Fields) Emit(writer, field, message, members, context);
        foreach (var oneof in message.Oneofs) OneofEmitter.Emit(writer, message, oneof, members, context);
        EmitNested(writer, message, context);
        writer.Close();
    }

    /// <summary>Gets the name of the field of a member that is in a oneof.</summary>
    public static string BackingOf(string member) => $"_{member}_value"; // no member ends so

    private static void Emit(SourceWriter writer, ProtoField field, ProtoMessage message, MemberNames members, TypeContext context)
    {
        var shape = FieldShape.Of(field, context.Names);
        var name = SymbolText.Escape(members[field]);
        var fallback = DefaultLiteral.Of(field, shape.TypeName.TrimEnd('?'));
        writer.Line();
        Declarations.Document(writer, field, fallback is null ? [] : [$"Absent means {fallback}."]);
        writer.Line($"[{shape.Attributes}]");
        if (field.Oneof is { } oneof)
        {
            var backing = BackingOf(members[field]);
            writer.Open($"public {shape.TypeName} {name}");
            writer.Line($"get => {backing};");
            writer.Open("set");
            writer.Line($"if (value != null) Clear{members[oneof]}();");
            writer.Line($"{backing} = value;");
            writer.Close();
            writer.Close();
            writer.Line($"private {shape.TypeName} {backing};");
        }
        else
        {
            writer.Line($"public {shape.TypeName} {name} {{ get; set; }}{(shape.Initial is null ? string.Empty : $" = {shape.Initial};")}");
        }

        if (shape.IsOmittedIfEmpty)
        {
            writer.Line("/// <summary>Decides whether the field is sent.</summary>");
            writer.Line("[global::System.ComponentModel.EditorBrowsable(global::System.ComponentModel.EditorBrowsableState.Never)]");
            writer.Line($"public bool {MemberNames.Condition}{members[field]}() => {name} != null && {name}.Length != 0;");
        }

        var value = members[field] + "OrDefault";
        if (fallback is null || field.IsRequired || !members.Taken.Add(value)) return;
        writer.Line($"/// <summary>Gets <see cref=\"{name}\"/>, or its default.</summary>");
        writer.Line($"public {shape.TypeName.TrimEnd('?')} {value} => {name} ?? {fallback};");
    }

    private static void EmitNested(SourceWriter writer, ProtoMessage message, TypeContext context)
    {
        var entries = message.Fields.Where(static field => field.IsMap && FieldShape.IsListOfEntries(field.Message!))
            .Select(static field => field.Message).ToList();
        var nested = message.Messages.Where(type => !type.IsMapEntry || entries.Contains(type)).ToList();
        if (nested.Count == 0 && message.Enums.Count == 0) return;
        writer.Line();
        writer.Line("/// <summary>Types that the file declares in the message.</summary>");
        writer.Open($"public static partial class {CSharpNames.Nested}");
        foreach (var type in nested) Emit(writer, type, context with { Access = "public" });
        foreach (var type in message.Enums) EnumEmitter.Emit(writer, type, context with { Access = "public" });
        writer.Close();
    }
}
