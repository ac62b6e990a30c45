namespace Mux.Execution;

/// <summary>Starts a background thread: <see cref="EngineThread.TryStart"/>, or what a test has in its place.</summary>
/// <returns>False if the system gives no more threads.</returns>
internal delegate bool ThreadStarter(Action run, string name);
