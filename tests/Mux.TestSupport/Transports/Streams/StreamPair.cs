using System.IO.Pipelines;
using Mux.Transports.Streams;

namespace Mux.TestSupport.Transports.Streams;

/// <summary>The two ends of a connection over pipes in memory.</summary>
public static class StreamPair
{
    public static (StreamConnection Dialer, StreamConnection Acceptor) Create(PipeOptions? options = null, string acceptorAddress = "", string dialerAddress = "dialer")
    {
        var (there, back) = (new Pipe(options ?? PipeOptions.Default), new Pipe(options ?? PipeOptions.Default));
        return (StreamConnection.Over(new Duplex(back.Reader, there.Writer), acceptorAddress), StreamConnection.Over(new Duplex(there.Reader, back.Writer), dialerAddress));
    }

    private sealed record Duplex(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
