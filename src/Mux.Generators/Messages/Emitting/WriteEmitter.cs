using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the method that writes a message: its fields by number, with numbers and strings in runs that keep their position in registers.</summary>
internal sealed class WriteEmitter(SourceWriter writer, MessageModel message)
{
    // Maximum size of numbers after one check for space: the reserved size is rarely used, and reserving more than is available moves the message.
    private const int MaxRowSize = 256;

    private readonly MemberAccess _access = new(message, "value", isFields: false);
    private readonly ValueWriteEmitter _values = new(writer);
    private readonly ItemWriteEmitter _items = new(writer, message);
    private bool _hasRun;
    private bool _isOpen;
    private bool _isReserved; // the run has room for all that will be written to it

    public void Emit()
    {
        if (message.IsWrittenInRuns) EmitFields();
        else EmitWhole();
    }

    // The run belongs to the caller and is returned to it.
    private void EmitFields()
    {
        FlatWriteEmitter.EmitEntry(writer, message);
        writer.Open(FlatWriteEmitter.Signature(message));
        _hasRun = _isOpen = true;
        _isReserved = FlatMessages.ShortSizeOf(message) > 0;
        EmitCheck();
        EmitMembers();
        writer.Line("return run;");
        writer.Close();
    }

    private void EmitWhole()
    {
        writer.Open($"internal static void {HierarchyEmitter.WriteOf(message)}(ref MessageWriter writer, {message.TypeName} value)");
        CallbackEmitter.Emit(writer, message, CallbackMoment.BeforeWriting, "value");
        EmitCheck();
        EmitMembers();
        CloseRun();
        UnknownEmitter.EmitWrite(writer, message, _access);
        CallbackEmitter.Emit(writer, message, CallbackMoment.AfterWriting, "value");
        writer.Close();
    }

    private void EmitCheck()
    {
        if (message.Includes.Count > 0)
            writer.Line($"if (((object)value).GetType() != typeof({message.TypeName})) {HierarchyEmitter.WriteInclude}(ref writer, value);");
        else if (message.ChecksType)
            writer.Line($"if (((object)value).GetType() != typeof({message.TypeName})) EncodeFault.ThrowDerived(\"{message.DisplayName}\", value);");
    }

    private void EmitMembers()
    {
        for (int i = 0; i < message.Members.Count;)
        {
            int end = EndOfRow(i, out int size);
            if (end > i)
            {
                OpenRun(size);
                for (; i < end; i++) EmitBounded(message.Members[i]);
                continue;
            }

            var member = message.Members[i++];
            if (member is { IsRepeated: false, Value: TextModel })
            {
                OpenRun(0);
                EmitText(member);
            }
            else if (FlatWriteEmitter.IsFlat(member))
            {
                OpenRun(0);
                EmitFlat(member);
            }
            else
            {
                CloseRun();
                EmitUnbounded(member);
            }
        }
    }

    private static int SizeOf(MemberModel member) => member.TagSize + member.Value.MaxSize;

    private int EndOfRow(int start, out int size)
    {
        size = 0;
        int end = start;
        for (; end < message.Members.Count; end++)
        {
            var member = message.Members[end];
            if (member.IsRepeated || member.Value.MaxSize == 0 || size + SizeOf(member) > MaxRowSize) break;
            size += SizeOf(member);
        }

        return end;
    }

    private void OpenRun(int size)
    {
        if (!_isOpen) writer.Line($"{(_hasRun ? string.Empty : "var ")}run = writer.BeginFields({size});");
        else if (size > 0 && !_isReserved) writer.Line($"if (!run.HasRoom({size})) run = writer.Continue(run, {size});");
        _hasRun = _isOpen = true;
    }

    private void CloseRun()
    {
        if (_isOpen) writer.Line("writer.EndFields(run);");
        _isOpen = false;
    }

    private void EmitBounded(MemberModel member)
    {
        if (UnlessZero(member) is { } whole)
        {
            writer.Line(whole);
            return;
        }

        var (condition, value) = Present(member);
        var statement = ValueWriteEmitter.Bounded("run", member.Tag, member.Value, value);
        writer.Line(condition is null ? statement : $"if ({condition}) {statement}");
    }

    // Most numbers: one call, so that neither the compiler nor the assembly has a variable and a condition for each.
    private string? UnlessZero(MemberModel member)
    {
        if (member.Value is not ScalarModel { FollowsProtobuf: false } scalar || _access.IsWritten(member) is not null) return null;
        var value = _access.Get(member);
        if (member.Container == Container.Nullable)
        {
            if (member.Default is not null || scalar.Scalar == ScalarType.Char) return null;
            var type = scalar.EnumUnderlying is { } underlying ? $"({underlying}?)" : string.Empty;
            var form = scalar.Scalar == ScalarType.Boolean ? "Boolean" : ValueWriteEmitter.FormOf(scalar);
            return $"run.{form}UnlessNull({member.Tag}, {type}{value});";
        }

        return (scalar.Scalar, member.Default) switch
        {
            (ScalarType.Boolean, "false") => $"if ({value}) run.Boolean({member.Tag}, true);",
            (ScalarType.Boolean, "true") => $"if (!{value}) run.Boolean({member.Tag}, false);",
            (ScalarType.Boolean or ScalarType.Char, _) => null,
            (_, "0") => ValueWriteEmitter.Number("run", member.Tag, scalar, value, "UnlessZero"),
            _ => null,
        };
    }

    private void EmitText(MemberModel member)
    {
        if (member is { Container: Container.Single, Default: null } && _access.IsWritten(member) is null)
        {
            writer.Line($"writer.WriteText(ref run, {member.Tag}, {_access.Get(member)});");
            return;
        }

        var (condition, value) = Present(member);
        var any = $"!run.TryText({member.Tag}, {value})";
        writer.Line($"if ({(condition is null ? any : $"{condition} && {any}")}) run = writer.WriteString(run, {member.Tag}, {value});");
    }

    /// <summary>Reads a member once. Returns the condition for writing it (null for always) and the variable that holds the value.</summary>
    private (string? Condition, string Value) Present(MemberModel member)
    {
        var local = $"field{member.Number}";
        var value = _access.Get(member);
        if (_access.IsWritten(member) is { } asked)
        {
            // Evaluated first: if it says no, the member may have no value.
            bool isPresence = member.Container == Container.Nullable || member.IsRepeated || member.Value.CanBeNull;
            return isPresence ? ($"{asked} && {value} is {{ }} {local}", local) : (asked, value);
        }

        if (member.Container == Container.Nullable || member.IsRepeated || member.Value.CanBeNull)
        {
            var present = $"{value} is {{ }} {local}";
            return (member.Default is { } other ? $"{present} && {member.Value.Comparable(local)} != {other}" : present, local);
        }

        writer.Line($"{member.TypeName} {local} = {value};");
        return member.Default switch
        {
            null => (null, local),
            "false" => (local, local),
            "true" => ("!" + local, local),
            var omitted => ($"{member.Value.Comparable(local)} != {omitted}", local),
        };
    }

    private void EmitFlat(MemberModel member)
    {
        var (condition, value) = Present(member);
        if (condition is null) writer.Open();
        else writer.Open($"if ({condition})");
        if (member.IsRepeated) _items.EmitFlat(member, value);
        else FlatWriteEmitter.Emit(writer, member, value);
        writer.Close();
    }

    private void EmitUnbounded(MemberModel member)
    {
        var (condition, value) = Present(member);
        if (condition is null)
        {
            _values.Emit(member.Number, member.Value, value);
            return;
        }

        if (member.IsRepeated && _items.Whole(member, value) is { } whole)
        {
            writer.Line($"if ({condition}) {whole}");
            return;
        }

        writer.Open($"if ({condition})");
        if (member.IsRepeated) _items.Emit(member, value);
        else _values.Emit(member.Number, member.Value, value);
        writer.Close();
    }
}
