using Mux.Generators.Models;
using Mux.Serialization;

namespace Mux.Generators.Emitting;

/// <summary>Emits the method that writes a message: its fields by number, numbers and texts in runs that keep their place in registers.</summary>
internal sealed class WriteEmitter(SourceWriter writer, MessageModel message)
{
    // Numbers behind one check of the space take no more: what is asked for is rarely what is taken, and more than is there moves the message.
    private const int MaxRowSize = 256;

    private readonly MemberAccess _access = new(message, "value", isFields: false);
    private bool _hasRun;
    private bool _isOpen;

    public void Emit()
    {
        writer.Open($"internal static void Write(ref MessageWriter writer, {message.TypeName} value)");
        if (message.ChecksType)
            writer.Line($"if (value.GetType() != typeof({message.TypeName})) EncodeFault.ThrowDerived(\"{message.DisplayName}\", value);");

        for (int i = 0; i < message.Members.Count;)
        {
            int end = EndOfRow(i, out int size);
            if (end > i)
            {
                OpenRun(size);
                for (; i < end; i++) EmitNumber(message.Members[i]);
                continue;
            }

            var member = message.Members[i++];
            if (member is { IsRepeated: false, Value: TextModel })
            {
                OpenRun(0);
                EmitText(member);
            }
            else
            {
                CloseRun();
                EmitUnbounded(member);
            }
        }

        CloseRun();
        writer.Close();
    }

    private static int SizeOf(MemberModel member, ScalarModel value) => member.TagSize + value.MaxSize;

    private int EndOfRow(int start, out int size)
    {
        size = 0;
        int end = start;
        for (; end < message.Members.Count; end++)
        {
            var member = message.Members[end];
            if (member.IsRepeated || member.Value is not ScalarModel scalar || size + SizeOf(member, scalar) > MaxRowSize) break;
            size += SizeOf(member, scalar);
        }

        return end;
    }

    private void OpenRun(int size)
    {
        if (!_isOpen) writer.Line($"{(_hasRun ? string.Empty : "var ")}run = writer.BeginFields({size});");
        else if (size > 0) writer.Line($"if (!run.HasRoom({size})) run = writer.Continue(run, {size});");
        _hasRun = _isOpen = true;
    }

    private void CloseRun()
    {
        if (_isOpen) writer.Line("writer.EndFields(run);");
        _isOpen = false;
    }

    private void EmitNumber(MemberModel member)
    {
        var (condition, value) = Present(member);
        var statement = Number("run", member.Tag, (ScalarModel)member.Value, value);
        writer.Line(condition is null ? statement : $"if ({condition}) {statement}");
    }

    private void EmitText(MemberModel member)
    {
        var (condition, value) = Present(member);
        var any = $"!run.TryText({member.Tag}, {value})";
        writer.Line($"if ({(condition is null ? any : $"{condition} && {any}")}) run = writer.WriteString(run, {member.Tag}, {value});");
    }

    /// <summary>Reads a member once and says when it is written: the condition, null for always, and the variable that holds the value.</summary>
    private (string? Condition, string Value) Present(MemberModel member)
    {
        var local = $"field{member.Number}";
        var value = _access.Get(member);
        if (member.Container == Container.Nullable || member.IsRepeated || member.Value.CanBeNull)
        {
            var present = $"{value} is {{ }} {local}";
            return (member.Default is { } other ? $"{present} && {local} != {other}" : present, local);
        }

        writer.Line($"{member.TypeName} {local} = {value};");
        return member.Default switch
        {
            null => (null, local),
            "false" => (local, local),
            "true" => ("!" + local, local),
            var omitted => ($"{local} != {omitted}", local),
        };
    }

    private void EmitUnbounded(MemberModel member)
    {
        var (condition, value) = Present(member);
        if (condition is null) EmitValue(member, value);
        else if (member is { IsRepeated: false, Value: BytesModel }) writer.Line($"if ({condition}) {Text(member, value)}");
        else
        {
            writer.Open($"if ({condition})");
            if (member.IsRepeated) EmitItems(member, value);
            else EmitValue(member, value);
            writer.Close();
        }
    }

    private void EmitItems(MemberModel member, string list)
    {
        var items = $"items{member.Number}";
        var span = member.Container == Container.List ? $"global::System.Runtime.InteropServices.CollectionsMarshal.AsSpan({list})" : list;
        writer.Line($"global::System.ReadOnlySpan<{member.Value.TypeName}> {items} = {span};");
        if (member.IsPacked)
        {
            // As protobuf-net does: a block for none or several, but a single item for one.
            writer.Open($"if ({items}.Length != 1)");
            EmitBlock(member, (ScalarModel)member.Value, items);
            writer.Close();
            writer.Open("else");
            EmitItem(member, items + "[0]");
            writer.Close();
            return;
        }

        if (member.Value is ScalarModel scalar)
        {
            EmitNumbers(member, member.Tag, scalar, items);
            return;
        }

        writer.Open($"foreach ({member.Value.TypeName} value{member.Number} in {items})");
        EmitItem(member, $"value{member.Number}");
        writer.Close();
    }

    private void EmitBlock(MemberModel member, ScalarModel value, string items)
    {
        uint tag = member.TagOf(WireType.Bytes);
        if (value.IsBlittable)
        {
            writer.Line($"writer.WritePacked({tag}, {items});");
            return;
        }

        writer.Line($"int block = writer.BeginBlock({tag});");
        EmitNumbers(member, 0, value, items);
        writer.Line("writer.EndBlock(block);");
    }

    private void EmitNumbers(MemberModel member, uint tag, ScalarModel value, string items)
    {
        int size = (tag == 0 ? 0 : member.TagSize) + value.MaxSize;
        writer.Line($"var item = writer.BeginFields({size});");
        writer.Open($"foreach ({value.TypeName} value{member.Number} in {items})");
        writer.Line($"if (!item.HasRoom({size})) item = writer.Continue(item, {size});");
        writer.Line(Number("item", tag, value, $"value{member.Number}"));
        writer.Close();
        writer.Line("writer.EndFields(item);");
    }

    private void EmitItem(MemberModel member, string item)
    {
        if (member.Value is ScalarModel scalar)
        {
            writer.Line($"var item = writer.BeginFields({SizeOf(member, scalar)});");
            writer.Line(Number("item", member.Tag, scalar, item));
            writer.Line("writer.EndFields(item);");
            return;
        }

        if (member.Value.CanBeNull) writer.Line($"if ({item} is null) EncodeFault.ThrowNullItem(\"{message.DisplayName}\", \"{member.Name}\");");
        EmitValue(member, item);
    }

    private void EmitValue(MemberModel member, string value)
    {
        switch (member.Value)
        {
            case TextModel or BytesModel:
                writer.Line(Text(member, value));
                break;
            case NestedModel { IsGroup: true } nested:
                writer.Line($"writer.BeginGroup({member.Tag}, \"{nested.DisplayName}\");");
                writer.Line($"{nested.Codec}.Write(ref writer, {value});");
                writer.Line($"writer.EndGroup({member.TagOf(WireType.EndGroup)});");
                break;
            case NestedModel nested:
                writer.Line($"int mark{member.Number} = writer.BeginMessage({member.Tag}, \"{nested.DisplayName}\");");
                writer.Line($"{nested.Codec}.Write(ref writer, {value});");
                writer.Line($"writer.EndMessage(mark{member.Number});");
                break;
        }
    }

    private static string Text(MemberModel member, string value)
    {
        return $"writer.{(member.Value is TextModel ? "WriteString" : "WriteBytes")}({member.Tag}, {value});";
    }

    private static string Number(string run, uint tag, ScalarModel value, string number)
    {
        var written = value.EnumUnderlying is { } underlying ? $"({underlying}){number}" : number;
        var method = value switch
        {
            { Scalar: ScalarType.Boolean } => "Boolean",
            { FixedSize: not 0 } => "Fixed",
            { Format: ScalarFormat.ZigZag } => "ZigZag",
            _ => "Varint",
        };
        return $"{run}.{method}({tag}, {written});";
    }
}
