using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Writes down when its callbacks are called.</summary>
[ProtoContract]
[ProtoInclude(5, typeof(TracedMore))]
public class Traced
{
    [ProtoMember(1)]
    public int Id { get; set; }

    public List<string> Trace { get; } = [];

    [ProtoBeforeSerialization]
    private void BeforeWriting() => Note("before writing");

    [OnSerialized]
    protected virtual void AfterWriting(StreamingContext context) => Note($"after writing {context.Context ?? "nothing"}");

    [ProtoBeforeDeserialization]
    internal void BeforeReading(Type type, SerializationContext context) => Note($"before reading {type.Name} {context.Context ?? "nothing"}");

    [ProtoAfterDeserialization]
    public void AfterReading() => Note("after reading");

    private void Note(string what) => Trace.Add($"{what} {Id}");
}
