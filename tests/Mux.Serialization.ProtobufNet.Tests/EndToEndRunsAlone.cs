using Mux.TestSupport.EndToEnd;

namespace Mux.Serialization.ProtobufNet.Tests;

/// <summary>Nothing runs beside these tests: see <see cref="EndToEndTests"/>.</summary>
[CollectionDefinition(nameof(EndToEndTests), DisableParallelization = true)]
public sealed class EndToEndRunsAlone;
