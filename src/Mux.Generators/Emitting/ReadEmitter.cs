using Mux.Generators.Models;

namespace Mux.Generators.Emitting;

/// <summary>
/// Emits the methods that read a message: one with the tags that are expected, small enough to stay fast, and one with everything else
/// that is accepted or refused.
/// </summary>
internal sealed class ReadEmitter
{
    private readonly SourceWriter _writer;
    private readonly MessageModel _message;
    private readonly MemberAccess _access;
    private readonly MemberReadEmitter _members;
    private readonly bool _isFields;
    private readonly string _target;

    public ReadEmitter(SourceWriter writer, MessageModel message)
    {
        _writer = writer;
        _message = message;
        _isFields = message.Construction == Construction.Parameters;
        _target = _isFields ? "fields" : "value";
        _access = new MemberAccess(message, _target, _isFields);
        _members = new MemberReadEmitter(writer, message, _access);
    }

    private bool IsByReference => _isFields || _message.IsStruct || _message.IsWrapper;

    private string TargetArgument => (IsByReference ? "ref " : string.Empty) + _target;

    private string TargetParameter => _isFields ? "ref Fields fields" : (IsByReference ? "ref " : string.Empty) + _message.TypeName + " value";

    public void Emit()
    {
        // Takes what is there already: the same field may come again and is merged.
        bool isNullable = !_message.IsStruct && !_message.IsWrapper;
        _writer.Open($"internal static {_message.TypeName} Read(ref MessageReader reader, {_message.TypeName}{(isNullable ? "?" : string.Empty)} value)");
        EmitStart();
        _writer.Line("uint tag;");
        _writer.Open("while ((tag = reader.ReadTag()) != 0)");
        _writer.Open("switch (tag)");
        foreach (var member in _message.Members) EmitExpected(member);
        _writer.Line("default:");
        var other = _message.Members.Count == 0 ? "reader.Skip(tag)" : $"ReadOther(ref reader, tag, {TargetArgument})";
        _writer.Indented($"if (!{other}) goto end;");
        _writer.Indented("break;");
        _writer.Close();
        _writer.Close();
        _writer.Line();
        _writer.Line("end:");
        EmitEnd();
        _writer.Close();
        if (_message.Members.Count > 0) EmitOther();
    }

    private void EmitStart()
    {
        switch (_message.Construction)
        {
            case Construction.New:
                _writer.Line($"value ??= new {_message.TypeName}();");
                break;
            case Construction.Accessor:
                _writer.Line("value ??= New();");
                break;
            case Construction.Uninitialized:
                _writer.Line($"value ??= ({_message.TypeName})global::System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeof({_message.TypeName}));");
                break;
            case Construction.Parameters:
                EmitFieldsStart();
                break;
        }
    }

    private void EmitFieldsStart()
    {
        var source = new MemberAccess(_message, "value", isFields: false);
        _writer.Line("var fields = default(Fields);");
        if (!_message.IsStruct) _writer.Open("if (value is not null)");
        foreach (var member in _message.Members) _writer.Line(_access.Set(member, source.Get(member)));
        if (!_message.IsStruct) _writer.Close();
        _writer.Line();
    }

    private void EmitEnd()
    {
        if (!_isFields)
        {
            _writer.Line("return value;");
            return;
        }

        var arguments = string.Join(", ", _message.Parameters.Select(index => _access.Get(_message.Members[index])));
        var constructor = _message.ConstructorNeedsAccessor ? "New" : "new " + _message.TypeName;
        _writer.Line($"value = {constructor}({arguments});");
        var target = new MemberAccess(_message, "value", isFields: false);
        for (int i = 0; i < _message.Members.Count; i++)
        {
            if (!_message.Parameters.Contains(i)) _writer.Line(target.Set(_message.Members[i], _access.Get(_message.Members[i])));
        }

        _writer.Line("return value;");
    }

    private void EmitExpected(MemberModel member)
    {
        uint block = member.TagOf(WireType.Bytes);
        if (member is { IsRepeated: true, Value: ScalarModel { IsBlittable: true } })
        {
            _writer.Line($"case {block}:");
            _members.EmitPacked(member);
            _writer.Line($"case {member.Tag}:");
        }
        else if (member is { IsRepeated: true, Value: ScalarModel })
        {
            _writer.Line($"case {member.Tag}:");
            _writer.Line($"case {block}:");
        }
        else if (member.Value is NestedModel)
        {
            _writer.Line($"case {block}:");
            _writer.Line($"case {member.TagOf(WireType.StartGroup)}:");
        }
        else
        {
            _writer.Line($"case {member.Tag}:");
        }

        _members.Emit(member, member.IsRepeated ? "tag" : $"{member.Tag}");
    }

    private void EmitOther()
    {
        _writer.Line();
        _writer.Open($"private static bool ReadOther(ref MessageReader reader, uint tag, {TargetParameter})");
        _writer.Line($"if ((tag & 7) == {(uint)WireType.EndGroup}) return reader.Skip(tag); // the end of this message may have the number of one of its fields");
        _writer.Open("switch (tag >> 3)");
        foreach (var member in _message.Members.Where(static member => member.Value is ScalarModel))
        {
            _writer.Line($"case {member.Number}:");
            _members.Emit(member, "tag");
        }

        var rigid = _message.Members.Where(static member => member.Value is not ScalarModel).ToList();
        foreach (var member in rigid) _writer.Line($"case {member.Number}:");
        if (rigid.Count > 0)
        {
            _writer.Indented("reader.ThrowWireType(tag);");
            _writer.Indented("break;");
        }

        _writer.Line("default:");
        _writer.Indented("return reader.Skip(tag);");
        _writer.Close();
        _writer.Line();
        _writer.Line("return true;");
        _writer.Close();
    }
}
