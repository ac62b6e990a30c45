namespace Mux.Serialization.Oracles.Shapes;

/// <summary>Which bytes of a shape both libraries take alike.</summary>
public enum Comparison
{
    /// <summary>All of them, but for the documented differences.</summary>
    Always,

    /// <summary>Any form of one message. What several messages behind each other say differs, and so what a mutated one says: which of two classes an object is, or two keys that are the same.</summary>
    InAnyForm,

    /// <summary>What either library writes. Where the items of a list stand apart, a stack comes back in another order.</summary>
    AsWritten,
}
