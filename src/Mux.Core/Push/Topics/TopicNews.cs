namespace Mux.Push;

/// <summary>What a reader finds in its topic.</summary>
internal enum TopicNews
{
    /// <summary>Items.</summary>
    Items,

    /// <summary>Nothing.</summary>
    Nothing,

    /// <summary>More items wait than a subscriber may leave waiting, and it may miss none.</summary>
    TooMany,

    /// <summary>The items that follow the last one that its subscriber has are not there.</summary>
    Gap,

    /// <summary>The reader has left.</summary>
    Left,
}
