namespace Mux.Protobuf;

/// <summary>
/// State of a <see cref="MessageReader"/> about the messages around its own. All zero for an outermost message, which then costs only a few stores.
/// </summary>
internal struct MessageSurroundings
{
    /// <summary>Offset of the message in the outermost one, for errors.</summary>
    public int Origin;

    /// <summary>Length of the outermost message.</summary>
    public int Outermost;

    /// <summary>Number of messages and groups around this one.</summary>
    public int Depth;

    /// <summary>Tag that ends the message if it is a group that has not ended yet; otherwise 0.</summary>
    public uint GroupEnd;

    /// <summary>Tag of the field whose value the message is; 0 for a message of a contract.</summary>
    public uint Owner;

    /// <summary>Costs of all messages so far.</summary>
    public DecodeBudget Spent;
}
