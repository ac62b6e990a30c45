using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Finds one of the arguments of a request, without copying it.</summary>
/// <typeparam name="TRequest">The request.</typeparam>
/// <typeparam name="T">The type of the argument.</typeparam>
/// <param name="request">The request.</param>
/// <returns>Where the argument is.</returns>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate ref T ArgumentAccess<TRequest, T>(ref TRequest request);
