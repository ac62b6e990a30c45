// Types of protobuf-net that the contracts of the vectors use besides its attributes.
#nullable disable
namespace ProtoBuf;

public interface IExtension;

public interface IExtensible
{
    IExtension GetExtensionObject(bool createIfMissing);
}

public abstract class Extensible : IExtensible
{
    IExtension IExtensible.GetExtensionObject(bool createIfMissing) => null;
    public static IExtension GetExtensionObject(ref IExtension extension, bool createIfMissing) => extension;
}

public readonly struct DiscriminatedUnion64Object
{
    private readonly int _discriminator;
    public DiscriminatedUnion64Object(int discriminator, object value) => (_discriminator, Object) = (discriminator, value);
    public object Object { get; }
    public int Int32 => (int)Object;
    public bool Is(int discriminator) => _discriminator == discriminator;
}
