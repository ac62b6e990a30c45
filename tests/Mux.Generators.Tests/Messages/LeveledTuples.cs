using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Tuples have the level of where they stand, and so have the tuples inside them; a type that says one keeps it.</summary>
[ProtoContract]
public sealed class LeveledTuples
{
    [ProtoMember(1)]
    public (Guid Id, int Number) Old { get; set; }

    [ProtoMember(2), CompatibilityLevel(CompatibilityLevel.Level300)]
    public (Guid Id, int Number) New { get; set; }

    [ProtoMember(3), CompatibilityLevel(CompatibilityLevel.Level300)]
    public List<(Guid Id, (DateTime At, int Number) Inner)>? Nested { get; set; }

    [ProtoMember(4)]
    public LeveledRecord? Record { get; set; }

    [ProtoMember(5)]
    public LeveledKey Key { get; set; }

    [ProtoMember(6)]
    public LeveledDate? Date { get; set; }
}
