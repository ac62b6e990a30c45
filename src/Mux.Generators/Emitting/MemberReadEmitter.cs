using Mux.Generators.Models;

namespace Mux.Generators.Emitting;

/// <summary>Emits the statements under a case label that read one member.</summary>
internal sealed class MemberReadEmitter(SourceWriter writer, MessageModel message, MemberAccess access)
{
    /// <summary>The variable that collects the items of all arrays.</summary>
    public const string Parts = "parts";

    /// <summary>The field of <see cref="Parts"/> for a member whose parts are joined.</summary>
    public static string FieldOf(MemberModel member) => $"Items{member.Number}";

    /// <summary>The type of this field.</summary>
    public static string BufferOf(MemberModel member) => $"ItemBuffer<{(member.IsRepeated ? member.Value.TypeName : "byte")}>";

    /// <summary>Emits the body of a case, its break included.</summary>
    /// <param name="member">The member.</param>
    /// <param name="tag">A constant where the label leaves one possibility, so that the rest folds away; else the variable.</param>
    public void Emit(MemberModel member, string tag)
    {
        switch (member.Value)
        {
            case var _ when member.IsRepeated:
                EmitRepeated(member);
                break;
            case NestedModel nested:
                EmitNested(nested, existing => access.Set(member, existing), Existing(member));
                break;
            default:
                writer.Indented(access.Set(member, Read(member, member.Value, tag)));
                writer.Indented("break;");
                break;
        }
    }

    /// <summary>Emits the body of a case for a packed block whose bytes are copied as they are.</summary>
    public void EmitPacked(MemberModel member)
    {
        var existing = member.Write == WriteAccess.InPlace ? Filled(member) : access.Get(member);
        var read = $"reader.ReadPacked({existing}{(member.IsJoined ? $", ref {PartsOf(member)}" : string.Empty)})";
        writer.Indented(member.Write == WriteAccess.InPlace ? read + ";" : access.Set(member, read));
        writer.Indented("break;");
    }

    /// <summary>Emits what joins the parts of an array behind the last field.</summary>
    public void EmitJoin(MemberModel member)
    {
        writer.Line($"if (!{PartsOf(member)}.IsEmpty) {access.Set(member, $"{PartsOf(member)}.ToArray(ref reader, {access.Get(member)})")}");
    }

    private static string PartsOf(MemberModel member) => $"{Parts}.{FieldOf(member)}";

    private string Existing(MemberModel member)
    {
        return member.Container == Container.Nullable ? access.Get(member) + ".GetValueOrDefault()" : access.Get(member);
    }

    // A list without a setter: what it holds is what there is.
    private string Filled(MemberModel member)
    {
        var reason = $"{message.DisplayName}.{member.Name} has no setter and holds null, so nothing can be read into it.";
        return $"({access.Get(member)} ?? throw new global::System.InvalidOperationException(\"{reason}\"))";
    }

    private void EmitRepeated(MemberModel member)
    {
        writer.Open();
        bool isList = member.Container == Container.List;
        if (!isList) writer.Line($"ref var items = ref {PartsOf(member)};");
        else if (member.Write == WriteAccess.InPlace) writer.Line($"var items = {Filled(member)};");
        else writer.Line($"var items = {access.Get(member)} ?? {member.Empty};");

        EmitItems(member);

        if (!isList && member.Value is ScalarModel) writer.Line($"if (items.IsEmpty) {access.Set(member, $"{access.Get(member)} ?? {member.Empty}")}"); // no item in a block
        else if (isList && member.Write != WriteAccess.InPlace) writer.Line(access.Set(member, "items"));
        writer.Line("break;");
        writer.Close();
    }

    private void EmitItems(MemberModel member)
    {
        if (member.Value is ScalarModel)
        {
            writer.Line($"var sequence = RepeatedItems.Begin(ref reader, tag, {member.Tag});");
            writer.Line($"while (sequence.Next(ref reader)) items.Add({Read(member, member.Value, "sequence.Tag")});");
            return;
        }

        writer.Line("do");
        writer.Open();
        if (member.Value is NestedModel nested)
        {
            writer.Line($"var child = reader.Enter(tag, {nested.Codec}.Schema);");
            writer.Line($"items.Add({nested.Codec}.Read(ref child, default));");
            writer.Line("reader.Leave(in child);");
        }
        else
        {
            writer.Line($"items.Add({Read(member, member.Value, "tag")});");
        }

        writer.Close();
        writer.Line("while (reader.ReadNext(ref tag));");
    }

    private void EmitNested(NestedModel nested, Func<string, string> set, string existing)
    {
        writer.Open();
        writer.Line($"var child = reader.Enter(tag, {nested.Codec}.Schema);");
        writer.Line(set($"{nested.Codec}.Read(ref child, {existing})"));
        writer.Line("reader.Leave(in child);");
        writer.Line("break;");
        writer.Close();
    }

    private string Read(MemberModel member, ValueModel value, string tag) => value switch
    {
        TextModel => $"reader.ReadString({tag})",
        BytesModel => $"reader.ReadBytes({tag}{(member.IsJoined && !member.IsRepeated ? $", {access.Get(member)}, ref {PartsOf(member)}" : string.Empty)})",
        ScalarModel scalar => (scalar.EnumUnderlying is null ? string.Empty : $"({scalar.TypeName})")
            + $"reader.Read{(scalar.Format == ScalarFormat.ZigZag ? "ZigZag" : string.Empty)}{scalar.Scalar}({tag})",
        _ => throw new InvalidOperationException("A nested message is not an expression."),
    };
}
