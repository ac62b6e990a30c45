using System.Runtime.Serialization;

namespace MuxApp._1.Contracts;

[DataContract]
public sealed class Greeting
{
    [DataMember(Order = 1)]
    public string? Text { get; set; }
}
