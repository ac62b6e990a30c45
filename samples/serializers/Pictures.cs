using Mux.Serialization.Raw;

namespace Serializers;

public sealed class Pictures : IPictures
{
    public ValueTask<int> Count(CancellationToken cancellationToken) => new(1);

    public ValueTask<PooledBytes> Invert(PooledBytes picture, CancellationToken cancellationToken)
    {
        // What comes in is the handler's to dispose; what it returns is given away.
        using (picture)
        {
            var inverted = PooledBytes.Rent(picture.Length);
            for (int i = 0; i < picture.Length; i++) inverted.Span[i] = (byte)~picture.Span[i];
            return new(inverted);
        }
    }

    public ValueTask<string> Describe(string name, CancellationToken cancellationToken) => new($"{name}: a picture");
}
