namespace Mux.Serialization;

/// <summary>
/// What a <see cref="MessageReader"/> knows of the messages around its own. All zero for an outermost message, which then costs a few stores.
/// </summary>
internal struct MessageSurroundings
{
    /// <summary>Where the message begins in the outermost one: errors count from there.</summary>
    public int Origin;

    /// <summary>The length of the outermost message.</summary>
    public int Outermost;

    /// <summary>How many messages and groups there are around.</summary>
    public int Depth;

    /// <summary>The tag that ends the message, if it is a group that has not ended yet; else 0.</summary>
    public uint GroupEnd;

    /// <summary>The tag of the field whose value the message is; 0 for a message of the user's.</summary>
    public uint Owner;

    /// <summary>What all messages up to here have cost.</summary>
    public DecodeBudget Spent;
}
