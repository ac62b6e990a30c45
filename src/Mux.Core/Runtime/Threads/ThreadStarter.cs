namespace Mux.Runtime;

/// <summary>Starts a background thread: <see cref="EngineThread.TryStart"/>, or a replacement in tests.</summary>
/// <returns>False if the system has no more threads.</returns>
internal delegate bool ThreadStarter(Action run, string name);
