using Mux.Generators.Models;
using Mux.Generators.Reading;

namespace Mux.Generators.Emitting;

/// <summary>The C# by which members of one message are read and written.</summary>
/// <param name="message">The message.</param>
/// <param name="target">The variable that holds it, or the fields it will be made from.</param>
/// <param name="isFields">Whether <paramref name="target"/> is the struct of fields that a constructor is given later.</param>
internal sealed class MemberAccess(MessageModel message, string target, bool isFields)
{
    // Accessors of a struct take it by reference.
    private readonly string _owner = message.IsStruct && !isFields ? "ref " + target : target;

    public string Get(MemberModel member)
    {
        if (isFields) return $"{target}.{SymbolText.Escape(member.Name)}";
        return member.Read switch
        {
            ReadAccess.Self => target,
            ReadAccess.Accessor => $"{member.Name}_Get({_owner})",
            ReadAccess.Field => $"{member.Name}_Field({_owner})",
            _ => $"{target}.{SymbolText.Escape(member.Name)}",
        };
    }

    public string Set(MemberModel member, string value)
    {
        if (isFields) return $"{target}.{SymbolText.Escape(member.Name)} = {value};";
        return member.Write switch
        {
            WriteAccess.Self => $"{target} = {value};",
            WriteAccess.Accessor => $"{member.Name}_Set({_owner}, {value});",
            WriteAccess.Field => $"{member.Name}_Field({_owner}) = {value};",
            WriteAccess.Method => $"{target}.Set{member.Name}({value});",
            _ => $"{target}.{SymbolText.Escape(member.Name)} = {value};",
        };
    }
}
