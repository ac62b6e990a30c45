namespace Mux.Generators.Messages.Models;

/// <summary>Ways in which generated code reads a member.</summary>
internal enum ReadAccess
{
    Direct,

    /// <summary>By calling a getter that is not accessible.</summary>
    Accessor,

    /// <summary>Through a reference to a field that is not accessible.</summary>
    Field,

    /// <summary>There is no member: the value is the message.</summary>
    Self,
}
