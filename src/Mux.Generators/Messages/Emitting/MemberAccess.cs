using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Emitting;

/// <summary>C# that reads and writes the members of one message.</summary>
/// <param name="message">The message.</param>
/// <param name="target">Variable that holds the message, or the fields that it will be made from.</param>
/// <param name="isFields">True if <paramref name="target"/> is the struct of fields that are passed to a constructor later.</param>
internal sealed class MemberAccess(MessageModel message, string target, bool isFields)
{
    // Accessors of a struct take it by reference.
    private readonly string _owner = message.IsStruct && !isFields ? "ref " + target : target;

    /// <summary>Gets the name of a member's field in the struct of fields.</summary>
    public static string FieldOf(MemberModel member) => $"Field{member.Number}";

    public string Get(MemberModel member)
    {
        if (isFields) return $"{target}.{FieldOf(member)}";
        return member.Read switch
        {
            ReadAccess.Self => target,
            ReadAccess.Accessor => $"{message.Accessors}{member.Name}_Get({_owner})",
            ReadAccess.Field => $"{message.Accessors}{member.Name}_Field({_owner})",
            _ => $"{target}.{SymbolText.Escape(member.Name)}",
        };
    }

    public string Set(MemberModel member, string value)
    {
        if (isFields) return $"{target}.{FieldOf(member)} = {value};";
        return NoteRead(member) is { } note ? $"{{ {SetOnly(member, value)} {note} }}" : SetOnly(member, value);
    }

    /// <summary>Gets the C# condition for writing a member; null if its value decides.</summary>
    public string? IsWritten(MemberModel member) => member.Condition switch
    {
        null => null,
        { NeedsAccessor: true } => $"{message.Accessors}{member.Name}_IsWritten({_owner})",
        { IsMethod: true } condition => $"{target}.{condition.Name}()",
        var condition => $"{target}.{SymbolText.Escape(condition.Name)}",
    };

    /// <summary>Gets the statement that notes that a member was read; null if none is needed.</summary>
    public string? NoteRead(MemberModel member) => member.Condition switch
    {
        null or { IsSet: false } => null,
        { SetNeedsAccessor: true } => $"{message.Accessors}{member.Name}_NoteRead({_owner}, true);",
        var condition => $"{target}.{SymbolText.Escape(condition.Name)} = true;",
    };

    private string SetOnly(MemberModel member, string value)
    {
        return member.Write switch
        {
            WriteAccess.Self => $"{target} = {value};",
            WriteAccess.Accessor => $"{message.Accessors}{member.Name}_Set({_owner}, {value});",
            WriteAccess.Field => $"{message.Accessors}{member.Name}_Field({_owner}) = {value};",
            WriteAccess.Method => $"{target}.Set{member.Name}({value});",
            _ => $"{target}.{SymbolText.Escape(member.Name)} = {value};",
        };
    }
}
