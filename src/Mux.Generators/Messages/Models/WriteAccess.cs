namespace Mux.Generators.Messages.Models;

/// <summary>Ways in which generated code writes a member.</summary>
internal enum WriteAccess
{
    Direct,

    /// <summary>By calling a setter that is not accessible, or only during initialization.</summary>
    Accessor,

    /// <summary>Through a reference to a field that is not accessible or readonly.</summary>
    Field,

    /// <summary>By a public method SetX for a property X, which protobuf-net calls instead of the setter.</summary>
    Method,

    /// <summary>Not set: a list that is filled.</summary>
    InPlace,

    /// <summary>Not set: only a constructor takes it.</summary>
    Constructor,

    /// <summary>There is no member: the value is the message.</summary>
    Self,
}
