using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[CompatibilityLevel(CompatibilityLevel.Level300)]
public sealed record LeveledRecord(Guid Id);
