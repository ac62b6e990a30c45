using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace Mux.TestSupport.Backplanes;

/// <summary>Where a backplane logs and counts.</summary>
public sealed record MemoryBackplaneSetup(ILoggerFactory? Loggers, IMeterFactory? Meters);
