using Mux.Contracts;

namespace Mux.Topics;

/// <summary>The codecs of all methods that send items of some topics, numbered in the order in which they came. Safe for concurrent use.</summary>
internal sealed class TopicCodecs<T>
{
    private readonly Lock _gate = new();
    private volatile MessageCodec<T>[] _all = []; // replaced by a longer one, never changed

    public MessageCodec<T>[] All => _all;

    /// <summary>Gets the number of a codec.</summary>
    public int NumberOf(MessageCodec<T> codec)
    {
        int number = Array.IndexOf(_all, codec);
        if (number >= 0) return number;
        lock (_gate)
        {
            number = Array.IndexOf(_all, codec);
            if (number >= 0) return number;
            _all = [.. _all, codec];
            return _all.Length - 1;
        }
    }
}
