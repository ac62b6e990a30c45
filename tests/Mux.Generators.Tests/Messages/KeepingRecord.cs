using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

/// <summary>Made by its constructor, with a member read after it and one for the rest.</summary>
[DataContract]
public sealed record KeepingRecord([property: DataMember(Order = 1)] int Id)
{
    [DataMember(Order = 2)]
    public KeepingRecord? Next { get; init; }

    public UnknownFields Unknown { get; } = new();
}
