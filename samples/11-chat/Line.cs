using System.Runtime.Serialization;

namespace Chat;

/// <summary>Something that was said.</summary>
[DataContract]
public sealed record Line([property: DataMember(Order = 1)] string Name, [property: DataMember(Order = 2)] string Text);
