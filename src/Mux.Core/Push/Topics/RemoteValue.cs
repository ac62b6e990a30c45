using Mux.Contracts;

namespace Mux.Push;

/// <summary>
/// The value of an item of another server. It is decoded when it is first asked for: a server that only passes the bytes on does not look into them. Safe for
/// concurrent use.
/// </summary>
/// <param name="body">The encoded form.</param>
/// <param name="codec">Reads it.</param>
/// <param name="onUnreadable">Told once or more that it cannot be read.</param>
internal sealed class RemoteValue<T>(byte[] body, MessageCodec<T> codec, Action<Exception> onUnreadable)
{
    private volatile Decoded? _decoded; // two threads may decode it, and both values are the same

    /// <summary>False if the bytes are no such item. Throws nothing.</summary>
    public bool IsReadable => _decoded is not null ? _decoded.IsReadable : TryDecode();

    /// <summary>The value; a default one if the bytes are no such item.</summary>
    public T Value => IsReadable ? _decoded!.Value : default!;

    private bool TryDecode()
    {
        try
        {
            _decoded = new Decoded(codec.Decode(body), IsReadable: true);
            return true;
        }
        catch (Exception error) // of a codec: the sender of the bytes chooses which
        {
            _decoded = new Decoded(default!, IsReadable: false);
            onUnreadable(error);
            return false;
        }
    }

    private sealed record Decoded(T Value, bool IsReadable);
}
