using System.Net;
using System.Net.Sockets;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Tests.Floods;

/// <summary>A peer on a bare socket that asks for large replies and reads none.</summary>
internal static class StallingReader
{
    public static Socket Connect(MuxAddress server, int requests)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 16 * 1024 };
        socket.Connect(IPAddress.Parse(server.Host), server.Port);
        byte[] asks = [0, 0, 0, 0, 0x12, 1, (byte)'m']; // the field 2 of Question: a text
        socket.Send([
            .. Preface.Bytes, .. ScriptedPeer.Hello(PeerSettings.Default), .. ScriptedPeer.Frame(FrameKind.Define, default, [0, 0, 0, .. "test.Desk/AskPlainly"u8]),
            .. Enumerable.Range(1, requests).SelectMany(slot => ScriptedPeer.Frame(FrameKind.Request, new(slot, 1), asks))]);
        return socket;
    }
}
