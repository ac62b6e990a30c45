using Mux.Generators.Models;
using Mux.Generators.Reading;

namespace Mux.Generators.Emitting;

/// <summary>Emits the method that reads a message, into an object that is there already if there is one: the same field may come twice.</summary>
internal sealed class ReadEmitter(SourceWriter writer, MessageModel message)
{
    private readonly MemberAccess _access = new(message, "value", isFields: false);

    // The flag stands beside fields that have the names of members.
    private string HasRest
    {
        get
        {
            var name = "HasRest";
            while (message.Members.Any(member => member.Name == name)) name += "_";
            return name;
        }
    }

    public void Emit()
    {
        if (message.Construction == Construction.Parameters) EmitThroughConstructor();
        else EmitInPlace("Read", [.. message.Members], "ReadOther");
        EmitParts();
    }

    private void EmitInPlace(string name, IReadOnlyList<MemberModel> members, string other)
    {
        bool isByReference = message.IsStruct || message.IsWrapper;
        var loop = new FieldLoopEmitter(writer, message, members, _access, "value", message.TypeName, isByReference, other);
        EmitSignature(name);
        switch (message.Construction)
        {
            case Construction.New:
                writer.Line($"value ??= new {message.TypeName}();");
                break;
            case Construction.Accessor:
                writer.Line("value ??= New();");
                break;
            case Construction.Uninitialized:
                const string make = "global::System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject";
                writer.Line($"value ??= ({message.TypeName}){make}(typeof({message.TypeName}));");
                break;
        }

        loop.EmitLoop();
        writer.Line("return value;");
        writer.Close();
        loop.EmitOther(passedOver: null);
    }

    // What the constructor takes is read first. Whatever else there is is read in a second pass, into the object that the constructor made.
    private void EmitThroughConstructor()
    {
        var parameters = message.Parameters.Select(index => message.Members[index]).ToList();
        var rest = message.Members.Except(parameters).ToList();
        var fields = new MemberAccess(message, "fields", isFields: true);
        var loop = new FieldLoopEmitter(writer, message, parameters, fields, "fields", "Fields", isByReference: true, "ReadOther");

        EmitSignature("Read");
        writer.Line("var fields = default(Fields);");
        if (rest.Count > 0) writer.Line("var secondPass = reader;");
        EmitIfThere(parameters.Select(member => fields.Set(member, _access.Get(member))));
        writer.Line();
        loop.EmitLoop();

        var constructor = message.ConstructorNeedsAccessor ? "New" : "new " + message.TypeName;
        writer.Line($"var made = {constructor}({string.Join(", ", parameters.Select(fields.Get))});");
        if (rest.Count > 0)
        {
            var made = new MemberAccess(message, "made", isFields: false);
            EmitIfThere(rest.Where(static member => member.Write != WriteAccess.InPlace).Select(member => made.Set(member, _access.Get(member))));
            writer.Line($"if (fields.{HasRest}) made = ReadRest(ref secondPass, made);");
        }

        writer.Line("return made;");
        writer.Close();
        loop.EmitOther(rest.Count > 0 ? $"fields.{HasRest} = true;" : null);
        EmitFields(parameters, rest.Count > 0);
        if (rest.Count == 0) return;
        writer.Line();
        EmitInPlace("ReadRest", rest, "ReadOtherRest");
    }

    private void EmitSignature(string name)
    {
        bool isNullable = !message.IsStruct && !message.IsWrapper;
        var access = name == "Read" ? "internal" : "private";
        writer.Open($"{access} static {message.TypeName} {name}(ref MessageReader reader, {message.TypeName}{(isNullable ? "?" : string.Empty)} value)");
    }

    private void EmitIfThere(IEnumerable<string> statements)
    {
        if (!message.IsStruct) writer.Open("if (value is not null)");
        foreach (var statement in statements) writer.Line(statement);
        if (!message.IsStruct) writer.Close();
    }

    private void EmitParts()
    {
        var joined = message.Members.Where(static member => member.IsJoined).ToList();
        if (joined.Count == 0) return;
        writer.Line();
        writer.Open($"private ref struct {FieldLoopEmitter.PartsType}");
        foreach (var member in joined) writer.Line($"internal {MemberReadEmitter.BufferOf(member)} {MemberReadEmitter.FieldOf(member)};");
        writer.Close();
    }

    private void EmitFields(List<MemberModel> parameters, bool hasRest)
    {
        writer.Line();
        writer.Open("private struct Fields");
        foreach (var member in parameters) writer.Line($"internal {member.TypeName} {SymbolText.Escape(member.Name)};");
        if (hasRest) writer.Line($"internal bool {HasRest};");
        writer.Close();
    }
}
