using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the method that reads a message, into an existing object if there is one: the same field may occur twice.</summary>
internal sealed class ReadEmitter(SourceWriter writer, MessageModel message)
{
    private const string HasRest = "HasRest";

    private readonly MemberAccess _access = new(message, "value", isFields: false);

    public void Emit()
    {
        if (FlatMessages.IsReadByCursor(message))
        {
            new FlatReadEmitter(writer, message, _access).Emit();
            return;
        }

        if (message.Construction == Construction.Parameters) EmitThroughConstructor();
        else EmitInPlace("Read", [.. message.Members], "ReadOther", isWhole: true);
        EmitParts();
    }

    /// <summary>Gets the C# that creates an object, for constructions without members.</summary>
    public static string? CreationOf(MessageModel message)
    {
        const string uninitialized = "global::System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject";
        return message.Construction switch
        {
            Construction.New => $"new {message.TypeName}()",
            Construction.Accessor => $"{message.Accessors}Call_New()",
            Construction.Uninitialized => $"({message.TypeName}){uninitialized}(typeof({message.TypeName}))",
            _ => null,
        };
    }

    private void EmitInPlace(string name, IReadOnlyList<MemberModel> members, string other, bool isWhole)
    {
        bool isByReference = message.IsStruct || message.IsWrapper;
        bool keepsUnknown = isWhole && message.KeepsUnknown;
        var loop = new FieldLoopEmitter(writer, message, members, _access, "value", message.TypeName, isByReference, other, keepsUnknown);
        if (message.Hierarchy is { } hierarchy) EmitStart(hierarchy);
        else
        {
            EmitSignature(name);
            if (CreationOf(message) is { } creation) writer.Line($"value ??= {creation};");
        }

        if (isWhole) CallbackEmitter.Emit(writer, message, CallbackMoment.BeforeReading, "value");
        loop.EmitLoop();
        if (keepsUnknown) UnknownEmitter.EmitRead(writer, message, _access, MemberReadEmitter.Parts);
        if (isWhole) CallbackEmitter.Emit(writer, message, CallbackMoment.AfterReading, "value");
        writer.Line("return value;");
        writer.Close();
        loop.EmitOther(passedOver: null);
    }

    private void EmitStart(HierarchyModel hierarchy)
    {
        if (hierarchy.IsRoot)
        {
            EmitSignature("Read");
            writer.Line($"value ??= {HierarchyEmitter.Make}(ref reader);");
            return;
        }

        var nearest = hierarchy.Bases[hierarchy.Bases.Count - 1];
        writer.Open($"internal static {message.TypeName} {HierarchyEmitter.ReadPart}(ref MessageReader reader, {nearest} found)");
        writer.Line($"var value = found as {message.TypeName} ?? {HierarchyEmitter.Upgrade}(ref reader, found);");
    }

    // Reads the constructor's members first, then all others in a second pass, into the created object.
    private void EmitThroughConstructor()
    {
        var parameters = message.Parameters.Select(index => message.Members[index]).ToList();
        var rest = message.Members.Without(parameters).ToList();
        var fields = new MemberAccess(message, "fields", isFields: true);
        var loop = new FieldLoopEmitter(writer, message, parameters, fields, "fields", "Fields", isByReference: true, "ReadOther", message.KeepsUnknown);

        EmitSignature("Read");
        writer.Line("var fields = default(Fields);");
        if (rest.Count > 0) writer.Line("var secondPass = reader;");
        EmitIfThere(parameters.Select(member => fields.Set(member, _access.Get(member))));
        writer.Line();
        loop.EmitLoop();

        var constructor = message.ConstructorNeedsAccessor ? $"{message.Accessors}Call_New" : "new " + message.TypeName;
        writer.Line($"var made = {constructor}({string.Join(", ", parameters.Select(fields.Get))});");
        var made = new MemberAccess(message, "made", isFields: false);
        CallbackEmitter.Emit(writer, message, CallbackMoment.BeforeReading, "made");
        var carried = message.KeptFields is { } kept ? [.. rest, kept] : rest;
        if (carried.Count > 0) EmitIfThere(carried.Where(static member => member.Write != WriteAccess.InPlace).Select(member => Carry(member, made)));
        if (rest.Count > 0)
        {
            writer.Open($"if (fields.{HasRest})");
            writer.Line("secondPass.CountOn(in reader);");
            writer.Line("made = ReadRest(ref secondPass, made);");
            writer.Line("reader.CountOn(in secondPass);");
            writer.Close();
        }

        UnknownEmitter.EmitRead(writer, message, made, MemberReadEmitter.Parts);
        CallbackEmitter.Emit(writer, message, CallbackMoment.AfterReading, "made");
        writer.Line("return made;");
        writer.Close();
        loop.EmitOther(rest.Count > 0 ? $"fields.{HasRest} = true;" : null);
        EmitFields(parameters, rest.Count > 0);
        if (rest.Count == 0) return;
        writer.Line();
        EmitInPlace("ReadRest", rest, "ReadOtherRest", isWhole: false);
    }

    // Sets only members that were read: a setter may mark its member as specified.
    private string Carry(MemberModel member, MemberAccess made)
    {
        var statement = made.Set(member, _access.Get(member));
        return _access.IsWritten(member) is { } condition ? $"if ({condition}) {statement}" : statement;
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
        if (joined.Count == 0 && !message.KeepsUnknown) return;
        writer.Line();
        writer.Open($"private ref struct {FieldLoopEmitter.PartsType}");
        foreach (var member in joined) writer.Line($"internal {MemberReadEmitter.BufferOf(member)} {MemberReadEmitter.FieldOf(member)};");
        if (message.KeepsUnknown) writer.Line($"internal {UnknownEmitter.BufferType} {UnknownEmitter.Unknown};");
        writer.Close();
    }

    private void EmitFields(List<MemberModel> parameters, bool hasRest)
    {
        writer.Line();
        writer.Open("private struct Fields");
        foreach (var member in parameters) writer.Line($"internal {member.TypeName} {MemberAccess.FieldOf(member)};");
        if (hasRest) writer.Line($"internal bool {HasRest};");
        writer.Close();
    }
}
