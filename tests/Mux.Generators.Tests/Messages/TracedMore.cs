using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
public sealed class TracedMore : Traced
{
    [ProtoMember(1)]
    public int More { get; set; }

    protected override void AfterWriting(StreamingContext context) => Trace.Add("overridden");
}
