namespace Mux.Push;

/// <summary>What became of an item that was to be added to a topic.</summary>
internal enum TopicAdd
{
    /// <summary>The topic has it.</summary>
    Added,

    /// <summary>Another publisher has taken the number that is stamped on it. It gets the next one.</summary>
    NumberTaken,

    /// <summary>A codec of the readers has not encoded it.</summary>
    CodecMissing,

    /// <summary>Items of the topic come from elsewhere by now. It gets this one from there, or never.</summary>
    OtherSource,

    /// <summary>The topic is forgotten. A new one takes its place.</summary>
    Forgotten,
}
