using Mux.Generators.Messages.Models;
using Mux.Generators.Text;
using Mux.Protobuf;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Emits code for classes that are written as one message. Each class has a codec for its own part; the part of a derived class is a field in the part of its
/// base. The methods for other code start at the root, which alone knows the class of an object.
/// </summary>
internal static class HierarchyEmitter
{
    /// <summary>Name of the schema of a part; the codec's Schema is the root's.</summary>
    public const string PartSchema = "PartSchema";

    /// <summary>Name of the method that writes the part of a derived class.</summary>
    public const string WriteInclude = "WriteInclude";

    /// <summary>Name of the method that creates the object, of the class whose parts are in the bytes.</summary>
    public const string Make = "Make";

    /// <summary>
    /// Name of the method that creates the object if a further part of the same class cannot tell more about its class; otherwise it returns null.
    /// </summary>
    public const string TryMake = "TryMake";

    /// <summary>Name of the method that creates an object of exactly this class, or rejects the message.</summary>
    public const string MakeOwn = "MakeOwn";

    /// <summary>Name of the method that converts an object of a base to this class.</summary>
    public const string Upgrade = "Upgrade";

    /// <summary>Name of the method that reads one part.</summary>
    public const string ReadPart = "ReadPart";

    private const string WritePart = "WritePart";

    /// <summary>Gets the name of the method that writes the members of a message.</summary>
    public static string WriteOf(MessageModel message) => message.Hierarchy is { IsRoot: false } ? WritePart : "Write";

    /// <summary>Emits everything but the methods that write and read the members.</summary>
    public static void Emit(SourceWriter writer, MessageModel message, HierarchyModel hierarchy)
    {
        if (!hierarchy.IsRoot) EmitEntrance(writer, message, hierarchy);
        if (hierarchy.Includes.Count > 0) EmitWriteInclude(writer, message, hierarchy);
        EmitMake(writer, message, hierarchy);
        if (!hierarchy.IsRoot) EmitUpgrade(writer, message, hierarchy);
    }

    /// <summary>Emits the cases that read the parts of derived classes, which may change the class of the object.</summary>
    public static void EmitCases(SourceWriter writer, EquatableArray<IncludeModel> includes)
    {
        foreach (var include in includes)
        {
            EmitLabels(writer, include);
            writer.Open();
            writer.Line($"var child = reader.Enter(tag, {include.Codec}.{PartSchema}{(include.Size > 0 ? $", {include.Size}" : string.Empty)});");
            writer.Line($"value = {include.Codec}.{ReadPart}(ref child, value);");
            writer.Line("reader.Leave(in child);");
            writer.Line("break;");
            writer.Close();
        }
    }

    private static void EmitLabels(SourceWriter writer, IncludeModel include)
    {
        writer.Label($"case {include.TagOf(WireType.Bytes)}:");
        writer.Label($"case {include.TagOf(WireType.StartGroup)}:");
    }

    private static void EmitEntrance(SourceWriter writer, MessageModel message, HierarchyModel hierarchy)
    {
        writer.Line($"internal static string Schema => {hierarchy.RootCodec}.Schema;");
        writer.Line();
        writer.Line($"internal static void Write(ref MessageWriter writer, {message.TypeName} value) => {hierarchy.RootCodec}.Write(ref writer, value);");
        writer.Line();
        writer.Open($"internal static {message.TypeName} Read(ref MessageReader reader, {message.TypeName}? value)");
        writer.Line($"{hierarchy.RootType} read = {hierarchy.RootCodec}.Read(ref reader, value);");
        writer.Line($"if (read is not {message.TypeName}) reader.ThrowClass(\"{message.DisplayName}\");");
        writer.Line($"return ({message.TypeName})read;");
        writer.Close();
        writer.Line();
    }

    private static void EmitWriteInclude(SourceWriter writer, MessageModel message, HierarchyModel hierarchy)
    {
        writer.Open($"private static void {WriteInclude}(ref MessageWriter writer, {message.TypeName} value)");
        foreach (var include in hierarchy.Includes)
        {
            var part = $"part{include.Number}";
            writer.Open($"if (value is {include.TypeName} {part})");
            if (include.IsGroup) writer.Line($"writer.BeginGroup({include.TagOf(WireType.StartGroup)}, \"{include.DisplayName}\");");
            else writer.Line($"int mark = writer.BeginMessage({include.TagOf(WireType.Bytes)}, \"{include.DisplayName}\");");
            writer.Line($"{include.Codec}.{WritePart}(ref writer, {part});");
            writer.Line(include.IsGroup ? $"writer.EndGroup({include.TagOf(WireType.EndGroup)});" : "writer.EndMessage(mark);");
            writer.Line("return;");
            writer.Close();
            writer.Line();
        }

        writer.Line(message.ChecksType ? $"EncodeFault.ThrowDerived(\"{message.DisplayName}\", value);"
            : "// of a class that nothing includes: cut to this one");
        writer.Close();
        writer.Line();
    }

    // Scan all parts before reading: members of the base may precede them, and each part may tell more about the class than those before.
    private static void EmitMake(SourceWriter writer, MessageModel message, HierarchyModel hierarchy)
    {
        bool isLeaf = hierarchy.Includes.Count == 0;
        if (!isLeaf || hierarchy.IsRoot)
        {
            writer.Open($"internal static {message.TypeName} {Make}(ref MessageReader reader)");
            writer.Line("var scan = reader;");
            writer.Line($"var made = {TryMake}(ref scan);");
            writer.Line("reader.CountOn(in scan);");
            writer.Line($"return made ?? {MakeOwn}(ref reader);");
            writer.Close();
            writer.Line();
        }

        writer.Open($"internal static {message.TypeName}? {TryMake}(ref MessageReader reader)");
        if (isLeaf) writer.Line($"return {MakeOwn}(ref reader);");
        else EmitScan(writer, hierarchy);
        writer.Close();
        writer.Line();
        writer.Open($"internal static {message.TypeName} {MakeOwn}(ref MessageReader reader)");
        if (hierarchy.IsAbstract) writer.Line("reader.ThrowAbstract();");
        writer.Line(hierarchy.IsAbstract ? "return null;" : $"return {ReadEmitter.CreationOf(message)};");
        writer.Close();
        writer.Line();
    }

    // The class of the first part counts: reading a part of another class fails.
    private static void EmitScan(SourceWriter writer, HierarchyModel hierarchy)
    {
        writer.Line("int found = 0;");
        writer.Line("var first = default(MessageReader);");
        writer.Line("uint tag;");
        writer.Open("while ((tag = reader.ReadTag()) != 0)");
        writer.Open("switch (tag)");
        foreach (var include in hierarchy.Includes)
        {
            EmitLabels(writer, include);
            writer.Open();
            writer.Line($"if (found is not (0 or {include.Number})) break;");
            writer.Line($"var part = reader.Enter(tag, {include.Codec}.{PartSchema});");
            writer.Line("if (found == 0) first = part;");
            writer.Line($"found = {include.Number};");
            writer.Line($"var made = {include.Codec}.{TryMake}(ref part);");
            writer.Open("if (made is not null)");
            writer.Line("reader.CountOn(in part);");
            writer.Line("return made;");
            writer.Close();
            writer.Line();
            writer.Line("reader.Leave(in part);");
            writer.Line("continue;");
            writer.Close();
        }

        writer.Close();
        writer.Line();
        writer.Line("if (!reader.PassOver(tag)) break;");
        writer.Close();
        writer.Line();
        writer.Open("switch (found)");
        foreach (var include in hierarchy.Includes)
        {
            writer.Label($"case {include.Number}:");
            writer.Indented($"return {include.Codec}.{MakeOwn}(ref first);");
        }

        writer.Label("default:");
        writer.Indented("return null;");
        writer.Close();
    }

    // The object existed before the part: it becomes another object with the content of the first, written and read again.
    private static void EmitUpgrade(SourceWriter writer, MessageModel message, HierarchyModel hierarchy)
    {
        writer.Open($"private static {message.TypeName} {Upgrade}(ref MessageReader reader, {hierarchy.Bases[hierarchy.Bases.Count - 1]} value)");
        var bases = string.Join(" && ", hierarchy.Bases.Select(static type => $"((object)value).GetType() != typeof({type})"));
        writer.Line($"if ({bases}) reader.ThrowClass(\"{message.DisplayName}\");");
        writer.Line($"var made = {(hierarchy.Includes.Count == 0 ? MakeOwn : Make)}(ref reader);");
        writer.Line("var buffer = MessageBuffer.Rent();");
        writer.Open("try");
        writer.Line("var writer = buffer.CreateWriter();");
        writer.Line($"{hierarchy.RootCodec}.Write(ref writer, value);");
        writer.Line($"var copy = reader.Reread(writer.Written, {hierarchy.RootCodec}.Schema);");
        writer.Line($"{hierarchy.RootCodec}.Read(ref copy, made);");
        writer.Line("reader.CountOn(in copy);");
        writer.Close();
        writer.Open("finally");
        writer.Line("buffer.Return();");
        writer.Close();
        writer.Line();
        writer.Line("return made;");
        writer.Close();
        writer.Line();
    }
}
