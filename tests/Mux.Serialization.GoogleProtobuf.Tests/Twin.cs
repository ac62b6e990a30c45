using System.Runtime.Serialization;

namespace Mux.Serialization.GoogleProtobuf.Tests;

/// <summary>Some of <see cref="ProtoSpecimen"/>, declared in C#.</summary>
[DataContract]
public sealed class Twin
{
    [DataMember(Order = 1)]
    public long Number { get; set; }

    [DataMember(Order = 4)]
    public string Text { get; set; } = "";

    [DataMember(Order = 9)]
    public Twin? Inner { get; set; }
}
