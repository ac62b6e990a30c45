using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
public sealed class Labeled<T> : Crate<T>
{
    [ProtoMember(1)]
    public T? Label { get; private set; }

    public Labeled<T> WithLabel(T label)
    {
        Label = label;
        return this;
    }
}
