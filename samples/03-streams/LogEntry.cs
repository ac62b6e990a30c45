using System.Runtime.Serialization;

namespace Streams;

[DataContract]
public sealed record LogEntry([property: DataMember(Order = 1)] int Number, [property: DataMember(Order = 2)] string Text);
