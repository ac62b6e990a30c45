using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A generic base; one construction of it includes each of the others.</summary>
[ProtoContract]
[ProtoInclude(5, typeof(NumberCrate))]
[ProtoInclude(6, typeof(Labeled<string>))]
public class Crate<T>
{
    [ProtoMember(1)]
    private T? _content;

    public T? Content => _content;

    public Crate<T> With(T content)
    {
        _content = content;
        return this;
    }
}
